/** Owns what a command sees in place of the workspace. Refuses a command that would see both. */
import type { SandboxCommand, SandboxMount, SandboxService } from './port.ts'

export function insteadOf(service: SandboxService | SandboxCommand): readonly SandboxMount[] | undefined {
  const instead = 'instead' in service ? service.instead : undefined
  const isLayered = 'layers' in service && service.layers !== undefined
  if (instead && (service.profile === 'workspace-write' || isLayered))
    throw new TypeError('a command without the workspace does not write there, and has no layers')
  return instead
}
