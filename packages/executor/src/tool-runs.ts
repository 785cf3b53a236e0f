/**
 * Owns how this executor runs its tools: the capabilities of a call are opened for it, what it did to files is told,
 * and what it kept for itself is cleared away when it has ended.
 */
import type { AskOperator, WorkOnMedia } from '@countersign/contract'
import type { OpenCapabilities } from './capabilities/capabilities.ts'
import { failureOf, messageOf, type ToolRuns } from './execute.ts'
import type { FileTrace } from './file-trace.ts'
import type { PermittedCall } from './verify.ts'

export interface ToolRunParts {
  capabilitiesFor(call: PermittedCall, work?: WorkOnMedia, ask?: AskOperator): Promise<OpenCapabilities>
  /** Tells what the call did to files. */
  readonly trace: FileTrace
}

export function createToolRuns({ capabilitiesFor, trace }: ToolRunParts): ToolRuns {
  return {
    async run(call, signal, work, ask) {
      const { tool, args, subject } = call
      if (tool.runs !== 'executor') throw new TypeError(`${tool.name} is not for an executor`)
      const open = await capabilitiesFor(call, work, ask)
      try {
        return await trace(subject, open, (capabilities) =>
          tool.run(args, capabilities, signal).catch(failureOf),
        )
      } finally {
        await closed(open, subject.nonce)
      }
    },
    async probe(call) {
      const { tool, args, subject } = call
      if (tool.runs !== 'executor') return undefined
      const open = await capabilitiesFor(call)
      try {
        return await tool.probe?.(args, open)
      } finally {
        await closed(open, subject.nonce)
      }
    },
  }
}

/** What is left behind is cleared away at the next start; the effect has ended either way. */
async function closed(capabilities: OpenCapabilities, nonce: string): Promise<void> {
  await capabilities.close().catch((error: unknown) => {
    process.stderr.write(`what ${nonce} kept for itself was not removed: ${messageOf(error)}\n`)
  })
}
