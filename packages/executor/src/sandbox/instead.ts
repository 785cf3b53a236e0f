/** Owns what a command sees in place of the workspace. Refuses a command that would see both, and local sockets where it stays. */
import type { SandboxCommand, SandboxMount, SandboxService } from './port.ts'

export function insteadOf(service: SandboxService | SandboxCommand): readonly SandboxMount[] | undefined {
  const instead = 'instead' in service ? service.instead : undefined
  const isLayered = 'layers' in service && service.layers !== undefined
  if (instead && (service.profile === 'workspace-write' || isLayered))
    throw new TypeError('a command without the workspace does not write there, and has no layers')
  return instead
}

/** A socket of the host that lies in the workspace could be reached by whoever may make one. */
export function hasLocalSockets(service: SandboxService | SandboxCommand): boolean {
  const wanted = 'localSockets' in service && service.localSockets === true
  if (wanted && insteadOf(service) === undefined)
    throw new TypeError('a command with the workspace has no local sockets')
  return wanted
}
