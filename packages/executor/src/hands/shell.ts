/** Owns the hands on programs: the one command that the permit names, in the sandbox. */
import type { ApprovalSubject } from '@countersign/contract'
import type { Hands } from '@countersign/tools'
import { sandboxEnvironment, shellLimits } from '../confinement.ts'
import type { Sandbox } from '../sandbox/port.ts'
import { failed } from './failed.ts'

export interface ShellParts {
  readonly sandbox: Sandbox | undefined
}

export function shellHands(subject: ApprovalSubject, { sandbox }: ShellParts): Hands['shell'] {
  return {
    async run({ argv, cwd, timeoutMs, signal }) {
      if (!sandbox) return failed('There is no sandbox.')
      const bound = subject.resources.some(
        (resource) =>
          resource.type === 'exec' &&
          resource.cwd === cwd &&
          resource.argv.slice(1).join('\0') === argv.slice(1).join('\0'),
      )
      if (!bound) return failed('The permit names another command.')
      try {
        const result = await sandbox.run(
          { ...shellLimits, argv, cwd, env: sandboxEnvironment, timeoutMs },
          signal,
        )
        const { stdout, stderr } = result
        if (result.kind !== 'exited') {
          return { kind: 'ran', end: { kind: 'killed', why: result.kind }, stdout, stderr, truncated: false }
        }
        const code = result.code ?? 137
        return { kind: 'ran', end: { kind: 'exited', code }, stdout, stderr, truncated: result.truncated }
      } catch (error) {
        return failed(error instanceof Error ? error.message : String(error))
      }
    },
  }
}
