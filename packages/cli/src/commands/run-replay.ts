/** `countersign run replay`: the conversation as it was, made again from its events by the reducer of every live view. */
import { emptyLive, fold, type GatewayEvent, runStatus } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done, ended } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { clockTime } from '../output/time.ts'
import { itemsOf, itemText, newItems, threadText } from './run-items.ts'
import { runLog } from './run-log.ts'

const shortestPauseMs = 60
const longestPauseMs = 1_500

export const replay: Handler = async (context, [id = ''], options) => {
  const { at, speed } = options
  if (at !== undefined && !isTime(at)) return usage('--at is a time of day such as 14:02.', 'run replay')
  const pace = speed === undefined ? undefined : Number(speed)
  if (pace !== undefined && !(pace > 0 && pace <= 1_000))
    return usage('--speed is a number above 0; 1 is the original speed.', 'run replay')
  if (pace !== undefined && context.flags.json)
    return usage('Playback has no JSON output. Remove --speed or --json.', 'run replay')
  const { client } = await context.gateway()
  const { run } = await client.run(id)
  const log = await runLog(client, run.id)
  const events = typeof at === 'string' ? until(log, at, context) : log
  if (typeof events === 'string') return usage(events, 'run replay')
  if (pace !== undefined) {
    await play(context, events, pace)
    return ended(0)
  }
  const state = fold(emptyLive, events)
  const live = state.runs[run.id]
  const word = live === undefined ? 'queued' : runStatus(state, live)
  const waiting = Object.values(state.approvals)
  const last = events.at(-1)
  return done(
    {
      run: run.id,
      at: last?.at ?? null,
      seq: state.seq,
      events: { shown: events.length, of: log.length },
      status: word,
      items: itemsOf(state),
      approvals: waiting,
    },
    () =>
      [
        columns([
          ['Run', run.id],
          ['As of', last === undefined ? 'its beginning' : clockTime(last.at, context.moment())],
          ['Status', word],
          ...waiting.map(({ code, card }) => ['Waits', `${line(code)}  ${line(card.headline)}`]),
        ]),
        '',
        threadText(state, context),
      ].join('\n'),
  )
}

/** The events up to the end of that minute, or a sentence when the run had not begun. */
export function until(
  events: readonly GatewayEvent[],
  time: string,
  context: Pick<Context, 'moment'>,
): readonly GatewayEvent[] | string {
  // With the day, whichever day it is.
  const stamp = (iso: string) => clockTime(iso, { now: new Date(0), zone: context.moment().zone })
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) return events
  const [day = '', began = ''] = stamp(first.at).split(' ')
  const wanted = time.padStart(5, '0')
  const nextDay = stamp(new Date(Date.parse(first.at) + 86_400_000).toISOString()).split(' ')[0] ?? ''
  if (wanted >= began) return events.filter((event) => stamp(event.at) <= `${day} ${wanted}`)
  if (stamp(last.at).startsWith(day)) return `The run began at ${began}.`
  return events.filter((event) => stamp(event.at) <= `${nextDay} ${wanted}`)
}

/** Pauses for a person are not waited through. */
export function pauseBefore(before: GatewayEvent, next: GatewayEvent, speed: number): number {
  const gap = (Date.parse(next.at) - Date.parse(before.at)) / speed
  return Math.min(longestPauseMs, Math.max(shortestPauseMs, gap))
}

async function play(context: Context, events: readonly GatewayEvent[], speed: number): Promise<void> {
  const { output, wait } = context.host
  const over = new AbortController()
  const end = () => over.abort()
  process.once('SIGINT', end)
  output.once('close', end)
  try {
    let state = emptyLive
    for (const [at, event] of events.entries()) {
      const before = events[at - 1]
      if (before) await wait(pauseBefore(before, event, speed), over.signal)
      if (over.signal.aborted) return
      const next = fold(state, [event])
      for (const item of newItems(state, next)) context.say(itemText(item, context))
      state = next
    }
  } finally {
    process.off('SIGINT', end)
    output.off('close', end)
  }
}

const isTime = (given: string | boolean): given is string =>
  typeof given === 'string' && /^([01]?\d|2[0-3]):[0-5]\d$/.test(given)
