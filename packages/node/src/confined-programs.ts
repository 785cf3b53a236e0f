/** Owns how a program of a call runs here: in the sandbox, over the shared folder, without network. */
import {
  type ApprovalSubject,
  canonicalText,
  type JsonObject,
  type NodeResource,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { createPrograms, type Sandbox, sandboxEnvironment, sandboxLimits } from '@countersign/executor/node'
import type { NodeCapabilities, NodeTool } from '@countersign/tools'
import { failure, notNamed } from './shared-folder.ts'

type Programs = ReturnType<typeof createPrograms>
type ProgramProfile = 'read-only' | 'workspace-write'

/** What a permit binds of how the call is confined. */
export function confinementOf(
  tool: Pick<NodeTool, 'capability'>,
  host: { readonly sandbox: Sandbox | undefined; readonly mayWrite: boolean },
): { readonly sandbox: string; readonly egress: string } {
  const { sandbox, mayWrite } = host
  const named = (profile: string, more: JsonObject) =>
    `${profile}:${sha256Hex(canonicalText({ sandbox: sandbox?.name ?? 'none', ...more }))}`
  switch (tool.capability) {
    case 'files':
      return { sandbox: named('files', {}), egress: 'none' }
    case 'shell': {
      const profile: ProgramProfile = mayWrite ? 'workspace-write' : 'read-only'
      return {
        sandbox: named(profile, { limits: { ...sandboxLimits }, environment: { ...sandboxEnvironment } }),
        egress: 'none',
      }
    }
    default:
      // A fixed program of the system, which nothing of the call can change.
      return { sandbox: 'none', egress: 'none' }
  }
}

export function confinedPrograms(
  subject: ApprovalSubject,
  resource: NodeResource,
  host: { readonly sandbox: Sandbox | undefined; readonly programs: Programs },
): NodeCapabilities['programs'] {
  return {
    async run({ argv, cwd, stdin, timeoutMs, signal }) {
      const { sandbox, programs } = host
      if (!sandbox) return failure('There is no sandbox here.')
      const profile = profileOf(subject.sandbox)
      const [name = '', ...rest] = argv
      const program = await programs.find(name)
      if (resource.capability !== 'shell' || resource.op !== 'run' || !profile || !program)
        return notNamed(name)
      if (program.content !== resource.content) return failure(`${name} has changed since it was looked at.`)
      const result = await sandbox.run(
        {
          argv: [program.path, ...rest],
          cwd,
          env: sandboxEnvironment,
          stdin,
          profile,
          timeoutMs: Math.min(timeoutMs, sandboxLimits.maxTimeoutMs),
          maxOutputBytes: mostOutput,
          maxMemoryBytes: sandboxLimits.maxMemoryBytes,
          maxProcesses: sandboxLimits.maxProcesses,
        },
        signal,
      )
      const { stdout, stderr, durationMs } = result
      if (result.kind !== 'exited') {
        return {
          kind: 'ran',
          end: { kind: 'killed', why: result.kind },
          stdout,
          stderr,
          truncated: false,
          durationMs,
        }
      }
      if (result.code === null) return failure(`${name} was ended by ${result.signal ?? 'a signal'}.`)
      const end = { kind: 'exited', code: result.code } as const
      return { kind: 'ran', end, stdout, stderr, truncated: result.truncated, durationMs }
    },
  }
}

/** Its answer has to fit into a frame. */
const mostOutput = 400_000

function profileOf(sandbox: string): ProgramProfile | undefined {
  const name = sandbox.slice(0, Math.max(sandbox.indexOf(':'), 0))
  return name === 'read-only' || name === 'workspace-write' ? name : undefined
}
