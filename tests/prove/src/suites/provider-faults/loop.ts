/**
 * Runs the turn loop on models that fail at random. A tool port in memory counts effects. Nothing that a retry repeats
 * may have been done by the attempt before it, and every run ends or says why it cannot go on.
 */
import {
  type CallReply,
  conversationLimits,
  type LoopState,
  type Meter,
  type ModelMessage,
  type ModelReply,
  noStreak,
  runTurns,
  type SegmentEnd,
} from '@countersign/agent'
import type { ProviderKind } from '@countersign/contract'
import { type ModelServer, type ScriptReply, startModelServer } from '@countersign/model-servers'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { createModel } from '../../../../../packages/models/src/calls/model.ts'
import { errorOf } from './damage.ts'
import { isRunnable } from './damages.ts'
import { configOf, protocolOf, request } from './scenarios.ts'

export interface RunFound {
  readonly faults: number
  readonly isCompleted: boolean
  readonly wrong: readonly string[]
}

export interface LoopBench {
  /** Tries one run, and tells how many faults it met and what went wrong. */
  run(kind: ProviderKind, random: Random): Promise<RunFound>
  close(): Promise<void>
}

const limits = { ...conversationLimits, modelRetryDelayMs: 0 }
const meter: Meter = {
  reserve: () => Promise.resolve({ kind: 'reserved', id: 'r' }),
  settle: () => Promise.resolve(),
}
const calm = { stop: false, pause: false, steering: [] }
const MOST_SEGMENTS = 6
/** Few replies are silent, and a busy machine is silent for long. */
const longestSilenceMs = 2_000

export async function openLoopBench(): Promise<LoopBench> {
  const scripts = new Map<string, (done: number) => ScriptReply>()
  const server = await startModelServer({
    keepRequests: 1,
    // The run is named in its first words; how far it has come, by the results in the conversation.
    script: (turn) => {
      const results = turn.messages.flatMap((message) => message.results)
      return scripts.get(turn.lastUser)?.(results.length) ?? { status: 500 }
    },
  })
  let count = 0
  return {
    async run(kind, random) {
      count += 1
      const name = `run ${count}`
      const trial = createTrial(name, kind, random)
      scripts.set(name, trial.script)
      try {
        const end = await trial.go(server)
        return {
          faults: trial.faults(),
          isCompleted: end.kind === 'completed',
          wrong: trial.judge(end).map((words) => `${name} on ${kind}: ${words}`),
        }
      } finally {
        scripts.delete(name)
      }
    },
    close: () => server.close(),
  }
}

function createTrial(name: string, kind: ProviderKind, random: Random) {
  const turns = 2 + random.below(3)
  const effects = new Map<string, number>()
  const journal: ModelMessage[] = [{ role: 'user', text: name }]
  let faults = 0
  let turn = 0
  let unsettled: ModelReply | undefined
  let isRepliedWhole = false

  const argsOf = (step: number, index: number) => `{"of":"${name}","step":${step},"index":${index}}`

  /** Two calls in each turn, then words; any of them may break. */
  function script(results: number): ScriptReply {
    const step = results / 2
    const reply: ScriptReply =
      step < turns
        ? {
            text: `Step ${step}.`,
            calls: [0, 1].map((index) => ({
              id: `c${step}x${index}`,
              name: step % 2 === 0 ? 'send' : 'look',
              args: argsOf(step, index),
            })),
            chunkSize: 9,
          }
        : { text: 'Done, all of it.', chunkSize: 5 }
    if (random.below(3) === 0) return reply
    faults += 1
    return broken(reply)
  }

  function broken(reply: ScriptReply): ScriptReply {
    switch (random.below(8)) {
      case 0:
        return { status: random.pick([500, 502, 503, 529, 408, 429]), retryAfter: 0 }
      case 1:
        return { ...reply, truncateAfterBytes: random.below(1_200) }
      case 2:
      case 3:
        return { ...reply, truncateAfterBytes: 1 + random.below(2_400), cutCleanly: true }
      case 4:
        return random.below(5) === 0
          ? { ...reply, stallAfterBytes: random.below(1_200) }
          : { ...reply, finish: 'none' }
      case 5:
        return { ...reply, finish: 'none' }
      case 6:
        return { malformed: random.pick(['data: {"not": \n\n', '{"x":1}\n', errorOf({ kind }), '\u0000']) }
      default:
        return { status: random.pick([500, 503]) }
    }
  }

  async function go(server: ModelServer): Promise<SegmentEnd> {
    const one = createModel(configOf(kind, server.baseUrl(protocolOf(kind)), longestSilenceMs))
    for (let segment = 1; ; segment += 1) {
      const state: LoopState = {
        system: 'Go on.',
        purpose: 'chat',
        tools: request.tools,
        messages: journal,
        turn,
        toolCalls: 0,
        activeMs: 0,
        streak: noStreak,
        hasOpenCalls: unsettled !== undefined,
        control: calm,
      }
      const end = await runTurns(
        state,
        {
          model: { stream: (asked, signal) => one.stream(asked, signal) },
          meter,
          clock: () => 0,
          wait: () => Promise.resolve(),
          retrying: () => Promise.resolve(),
          show: () => undefined,
          replied(at, reply) {
            turn = at
            isRepliedWhole = reply.calls.length === 0
            if (reply.calls.length > 0) unsettled = reply
            return Promise.resolve(reply.calls.length)
          },
          finishTurn: () => Promise.resolve({ kind: 'results', replies: settle(), control: calm }),
        },
        limits,
        new AbortController().signal,
      )
      // A run that cannot go on now is taken up again later, from what was recorded.
      if (end.kind !== 'failing' || segment === MOST_SEGMENTS) return end
    }
  }

  function settle(): readonly CallReply[] {
    const reply = unsettled
    unsettled = undefined
    if (!reply) return []
    const replies = reply.calls.map((call) => {
      if (isRunnable(call)) effects.set(call.args, (effects.get(call.args) ?? 0) + 1)
      return { callId: call.id, name: call.name, text: 'did it', isError: !isRunnable(call) }
    })
    journal.push(
      { role: 'assistant', text: reply.text, calls: reply.calls },
      { role: 'tool', results: replies },
    )
    return replies
  }

  function judge(end: SegmentEnd): string[] {
    const expected = Array.from({ length: turns * 2 }, (_, at) => argsOf(Math.floor(at / 2), at % 2))
    const wrong: string[] = []
    for (const [args, times] of effects) {
      if (times > 1) wrong.push(`${args} was done ${times} times`)
      if (!expected.includes(args)) wrong.push(`${args} was done and never asked for`)
    }
    if (end.kind === 'completed') {
      if (!isRepliedWhole) wrong.push('it completed without a last reply')
      if (effects.size < expected.length)
        wrong.push(`it completed with ${effects.size} of ${expected.length} effects`)
    } else if (end.kind !== 'failing' || end.failure.message === '')
      wrong.push(`it ended as ${JSON.stringify(end)}`)
    return wrong
  }

  return { script, go, judge, faults: () => faults }
}
