/** The capabilitieson the JavaScript machine: the one program that the permit names, with the answers it got so far. */
import { type ApprovalSubject, type JsonValue, missingKeys, missingKeyText } from '@countersign/contract'
import type { ToolCapabilities } from '@countersign/tools'
import { createReplay, type NeededCall, notRepeated, type ReplayChecks } from '../script/replay.ts'
import type { ScriptThreads } from '../script/thread-pool.ts'
import { failure } from './failure.ts'

export interface ScriptParts {
  readonly threads?: ScriptThreads | undefined
  readonly replayChecks?: ReplayChecks | undefined
  /** The names of the secrets that are kept, for a program that asks whether there is one. */
  readonly secretNames?: (() => Promise<readonly string[]>) | undefined
}

export function scriptCapabilities(
  subject: Pick<ApprovalSubject, 'tool' | 'call' | 'session' | 'operator'>,
  { threads, replayChecks, secretNames }: ScriptParts = {},
): ToolCapabilities['script'] {
  return {
    async run(script, signal) {
      if (!threads) return failure('There is no JavaScript machine.')
      if (subject.tool.name !== 'run_custom_tool') return failure('The permit names another tool.')
      const { name, code, input, journal, tools, network, keys: declared = [] } = script
      const isFirst = journal.length === 0
      const isAsked = isFirst && declared.length > 0
      const replay = createReplay(script, replayChecks)
      const keys = isAsked || asksForKeys.test(code) ? await (secretNames?.() ?? []) : []
      const missing = isAsked ? missingKeys(declared, keys) : []
      if (missing.length > 0) return failure(`it was not begun. ${missingKeyText(missing)}`)
      const { keys: known, ...beginning } = threads.startValues.of(subject.call, isFirst, keys)
      const context = {
        toolName: name,
        callId: subject.call,
        conversationId: subject.session,
        userId: subject.operator,
      }
      let needed: readonly NeededCall[] = []
      let wrong: string | undefined
      const end = await threads.run(
        { name, code, ...beginning, setup: { args: input, context, tools, network, keys: known } },
        (calls) => {
          const step = replay.answer(calls)
          if (step.kind === 'answers') return step
          if (step.kind === 'calls') needed = step.calls
          else wrong = step.reason
          return { kind: 'stop' }
        },
        signal,
      )
      if (wrong !== undefined) return failure(wrong)
      if (end.kind === 'stopped') return { kind: 'calls', calls: needed }
      if (end.kind === 'failed') return end
      if (!replay.isSpent()) return failure(notRepeated)
      return { kind: 'returned', value: JSON.parse(end.value) as JsonValue, log: end.log }
    },
  }
}

/** Most programs ask for none, and the secrets stay closed. */
const asksForKeys = /get(?:ApiKey|FieldValue|ConfigEntry|ConfigEntries|ServiceConfig)/
