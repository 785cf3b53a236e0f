/** `countersign run tail`: what a run does, from its beginning and on until it ends. */
import { emptyLive, fold, type GatewayEvent, type ServerFrame } from '@countersign/contract'
import type { Gateway } from '../connection.ts'
import type { Context, Handler } from '../context.ts'
import { follow } from '../follow.ts'
import { ended } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { itemText, newItems } from './run-items.ts'
import { runLog } from './run-log.ts'

/** Ends with the run, when the time of `--wait` is over, with Ctrl-C, or when nobody reads any more. */
export const tail: Handler = async (context, [id = ''], options) => {
  const streams = options.stream === true
  if (context.flags.json && !streams)
    return usage(
      '`tail` has no single JSON document. Use --stream for one document per line, or `countersign run show`.',
      'run tail',
    )
  const gateway = await context.gateway()
  const { run } = await gateway.client.run(id)
  const over = new AbortController()
  const end = () => over.abort()
  const { output } = context.host
  process.once('SIGINT', end)
  output.once('close', end)
  const timer = context.flags.waitMs === undefined ? undefined : setTimeout(end, context.flags.waitMs)
  try {
    await written({ context, gateway, run: run.id, isOver: run.state === 'stopped', streams, over })
    return ended(0)
  } finally {
    end()
    clearTimeout(timer)
    process.off('SIGINT', end)
    output.off('close', end)
  }
}

interface TailedRun {
  readonly context: Context
  readonly gateway: Gateway
  readonly run: string
  /** Nothing more comes. */
  readonly isOver: boolean
  readonly streams: boolean
  readonly over: AbortController
}

async function written({ context, gateway, run, isOver, streams, over }: TailedRun): Promise<void> {
  const { output, wait } = context.host
  let state = emptyLive
  const write = (events: readonly GatewayEvent[]) => {
    for (const event of events) {
      if (event.seq <= state.seq || over.signal.aborted) continue
      const next = fold(state, [event])
      const text = streams
        ? JSON.stringify(event)
        : newItems(state, next)
            .map((item) => itemText(item, context))
            .join('\n')
      if (text !== '' && streams) output.write(`${text}\n`)
      else if (text !== '') context.say(text)
      state = next
      if (event.body.type === 'run.ended') over.abort()
    }
  }

  // One after the other: what comes over the socket waits for what was there before it.
  let begin: () => void = () => undefined
  let turn = new Promise<void>((resolve) => {
    begin = resolve
  })
  let problem: unknown
  const queue = (work: () => void | Promise<void>) => {
    turn = turn.then(work).catch((error: unknown) => {
      problem ??= error
      over.abort()
    })
  }
  const catchUp = async () => write(await runLog(gateway.client, run, state.seq))
  const feed = await follow({
    connect: gateway.connect,
    since: null,
    onFrame: (frame: ServerFrame) => {
      if (frame.type === 'gap') queue(catchUp)
      if (frame.type !== 'event' || !isOf(frame.event, run)) return
      const { event } = frame
      queue(() => write([event]))
    },
    onLost: () => context.note('Reconnecting…'),
    onBack: () => context.note('Connected again.'),
    wait,
    signal: over.signal,
  })
  await catchUp()
  begin()
  if (isOver) over.abort()
  await feed.ended
  await turn
  if (problem !== undefined) throw problem
}

function isOf({ body }: GatewayEvent, run: string): boolean {
  return 'run' in body && body.run === run
}
