/** Owns the hands on the JavaScript machine: the one program that the permit names, with the answers it got so far. */
import type { ApprovalSubject, JsonValue } from '@countersign/contract'
import type { Hands } from '@countersign/tools'
import { createReplay, type NeededCall, notRepeated, type ReplayChecks } from '../script/replay.ts'
import type { ScriptRoom } from '../script/room.ts'
import { failed } from './failed.ts'

export interface ScriptParts {
  readonly room?: ScriptRoom | undefined
  readonly replayChecks?: ReplayChecks | undefined
}

export function scriptHands(
  subject: Pick<ApprovalSubject, 'tool' | 'call' | 'session' | 'operator'>,
  { room, replayChecks }: ScriptParts = {},
): Hands['script'] {
  return {
    async run(script, signal) {
      if (!room) return failed('There is no JavaScript machine.')
      if (subject.tool.name !== 'run_custom_tool') return failed('The permit names another tool.')
      const { name, code, input, journal, tools, network } = script
      const replay = createReplay(script, replayChecks)
      const beginning = room.beginnings.of(subject.call, journal.length === 0)
      const context = {
        toolName: name,
        callId: subject.call,
        conversationId: subject.session,
        userId: subject.operator,
      }
      let needed: readonly NeededCall[] = []
      let wrong: string | undefined
      const end = await room.run(
        { name, code, ...beginning, setup: { args: input, context, tools, network } },
        (calls) => {
          const step = replay.answer(calls)
          if (step.kind === 'answers') return step
          if (step.kind === 'calls') needed = step.calls
          else wrong = step.reason
          return { kind: 'stop' }
        },
        signal,
      )
      if (wrong !== undefined) return failed(wrong)
      if (end.kind === 'stopped') return { kind: 'calls', calls: needed }
      if (end.kind === 'failed') return end
      if (!replay.isSpent()) return failed(notRepeated)
      return { kind: 'returned', value: JSON.parse(end.value) as JsonValue, log: end.log }
    },
  }
}
