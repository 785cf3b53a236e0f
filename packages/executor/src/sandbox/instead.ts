/** Owns what a command sees in place of the workspace. Refuses a command that would see both, or write. */
import type { SandboxCommand, SandboxMount, SandboxService } from './port.ts'

export function insteadOf(service: SandboxService | SandboxCommand): readonly SandboxMount[] | undefined {
  const instead = 'instead' in service ? service.instead : undefined
  const isLayered = 'layers' in service && service.layers !== undefined
  if (instead && (service.profile !== 'read-only' || isLayered))
    throw new TypeError('a command without the workspace only reads, and has no layers')
  return instead
}
