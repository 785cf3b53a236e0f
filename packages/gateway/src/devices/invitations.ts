/**
 * Owns who may ask to be let in from elsewhere: whoever comes with a link that the operator opened, at the origin that
 * it names, once and within minutes. Nobody else can ask at all, so that strangers cannot fill the list of requests.
 */
import { CountersignError, type PairingInvitation, type PairingInvited } from '@countersign/contract'

export const invitationLimits = { lifetimeMs: 5 * 60_000, open: 3 } as const

export interface Invitations {
  /** With too many open ones the oldest goes. */
  add(invitation: PairingInvitation): PairingInvited
  /** Throws unless it is open at this origin; afterwards it is not. */
  use(invitation: string | undefined, origin: string): void
}

export function createInvitations(clock: () => Date): Invitations {
  const open = new Map<string, { readonly origin: string; readonly expires: number }>()
  return {
    add({ invitation, origin }) {
      const expires = clock().getTime() + invitationLimits.lifetimeMs
      open.set(invitation, { origin, expires })
      const [oldest = ''] = open.keys()
      if (open.size > invitationLimits.open) open.delete(oldest)
      return { expiresAt: new Date(expires).toISOString() }
    },
    use(invitation = '', origin) {
      const found = open.get(invitation)
      open.delete(invitation)
      if (found && found.origin === origin && clock().getTime() < found.expires) return
      throw new CountersignError(
        'not_authenticated',
        'From elsewhere a device pairs by a link, which works once and for five minutes.',
        { next: 'Run `countersign open --phone` on the computer of the gateway and scan its picture.' },
      )
    },
  }
}
