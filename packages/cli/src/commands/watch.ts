/** `countersign approval watch`: a list that redraws when something changes, in its own screen. */
import { emitKeypressEvents, type Key } from 'node:readline'
import { canonicalText } from '@countersign/contract'
import type { Gateway } from '../connection.ts'
import type { Context, Handler } from '../context.ts'
import { follow } from '../follow.ts'
import { ended } from '../output/answer.ts'
import { failureOf, usage } from '../output/failure.ts'
import { cardHeightFor, renderWatch } from '../watch/render.ts'
import {
  onFrame,
  onKey,
  type WatchEffect,
  type WatchState,
  watching,
  withList,
  withRuns,
} from '../watch/state.ts'
import { approveNow, decidedText } from './approval.ts'

const enter = '\u001b[?1049h\u001b[?25l'
const leave = '\u001b[?25h\u001b[?1049l'
const redrawMs = 10_000

export const watch: Handler = async (context) => {
  if (!context.redraws) {
    return usage('The live list needs a terminal. Use `countersign approval list`.', 'approval watch')
  }
  const gateway = await context.gateway()
  const over = new AbortController()
  const { output, input } = context.host
  output.write(enter)
  input.setRawMode?.(true)
  try {
    await live(context, gateway, over)
    return ended(0)
  } finally {
    over.abort()
    input.setRawMode?.(false)
    input.pause()
    output.write(leave)
  }
}

async function live(context: Context, gateway: Gateway, over: AbortController): Promise<void> {
  const { host } = context
  const style = () => ({ paint: context.paint, moment: context.moment() })
  const size = () => ({ columns: host.output.columns || 80, rows: host.output.rows || 24 })
  let state = watching([])
  const draw = (next: WatchState) => {
    state = next
    host.output.write(`\u001b[H\u001b[2J${renderWatch(state, style(), size())}`)
  }
  const say = (message: string) => draw({ ...state, message })
  const refresh = async () => {
    const [approvals, parked] = await Promise.all([
      gateway.client.approvals({ state: 'pending' }),
      gateway.client.runs({ state: 'parked' }),
    ])
    draw(withRuns(withList(state, approvals, state.message), parked))
  }
  const tell = async (error: unknown) => {
    const { message } = await failureOf(error)
    say(message)
  }

  const feed = await follow({
    connect: gateway.connect,
    since: null,
    onFrame: (frame) => {
      draw(onFrame(state, frame))
      if (frame.type === 'gap') refresh().catch(tell)
    },
    onLost: () => say('Reconnecting…'),
    onBack: () => say('Connected again.'),
    wait: host.wait,
    signal: over.signal,
  })
  await refresh()

  async function carryOut(effect: WatchEffect): Promise<void> {
    if (effect.kind === 'approve') {
      const detail = await gateway.client.approval(effect.approval.id)
      if (canonicalText(detail.approval) !== canonicalText(effect.approval)) {
        draw({ ...state, open: null, message: 'It differs from what was shown. Read it again.' })
        return
      }
      const decided = await approveNow(gateway, detail, host.clock())
      say(decidedText(decided))
    }
    if (effect.kind === 'deny') {
      const verdict = { verdict: 'deny' as const, reason: effect.reason, stop: false }
      const decided = await gateway.client.decide(effect.approval.id, verdict)
      say(decidedText(decided))
    }
  }

  const quit = new Promise<void>((resolve) => {
    emitKeypressEvents(host.input)
    host.input.on('keypress', (text: string | undefined, key: Key) => {
      const step = onKey(
        state,
        keyName(text, key),
        cardHeightFor(state, style(), size()),
        host.clock().getTime(),
      )
      draw(step.state)
      if (step.effect.kind === 'quit') resolve()
      else carryOut(step.effect).catch(tell)
    })
    host.input.resume()
  })
  const clock = setInterval(() => draw(state), redrawMs)
  try {
    await Promise.race([quit, feed.ended])
  } finally {
    clearInterval(clock)
    host.input.removeAllListeners('keypress')
  }
}

function keyName(text: string | undefined, key: Key): string {
  if (key.ctrl === true && key.name === 'c') return 'ctrl-c'
  const named = ['escape', 'return', 'backspace', 'up', 'down']
  return key.name !== undefined && named.includes(key.name) ? key.name : (text ?? '')
}
