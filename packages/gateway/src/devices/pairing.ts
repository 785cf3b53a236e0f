/**
 * Owns who asks to be let in: a few requests, for minutes, in memory. Refuses whoever does not hold the key that they
 * name. Asking gives nothing; only a statement that somebody believed has signed does.
 */
import {
  CountersignError,
  type DeviceId,
  type DeviceReach,
  idFrom,
  type PairingInvitation,
  type PairingInvited,
  type PairingRequestBody,
  type PairingRequested,
  type PairingRequestView,
  type PairingState,
  pairingText,
} from '@countersign/contract'
import { publicKeyOf, verifyText } from '@countersign/contract/node'
import type { RequestPlace } from '../server/request-place.ts'
import { createSenderRate } from '../server/sender-rate.ts'
import { createInvitations } from './invitations.ts'

export interface PairingOptions {
  readonly gatewayKey: string
  readonly clock: () => Date
  readonly uuid: () => string
}

export interface Pairing {
  /** Counts an attempt, whatever comes of it. Throws when there were too many. */
  attempt(place: RequestPlace): void
  /** Counts a look from outside. Throws when there were too many. */
  look(place: RequestPlace): void
  /** Lets one device or node ask at this origin. */
  invite(invitation: PairingInvitation): PairingInvited
  /** Uses an invitation up. Throws for whoever is elsewhere and has none. */
  useInvitation(invitation: string | undefined, place: RequestPlace): void
  /** Throws when the key was not shown to be theirs, too many wait, or it came from elsewhere uninvited. */
  request(body: PairingRequestBody, place: RequestPlace): PairingRequested
  state(id: string): PairingState
  waiting(): PairingRequestView[]
  /** Throws when it does not wait any more. */
  refuse(id: string): PairingRequestView
  /** A device with this key was let in. */
  letIn(key: string, reach: DeviceReach): void
}

export const pairingLimits = {
  lifetimeMs: 10 * 60_000,
  pending: 3,
  attemptsPerMinute: 5,
  attemptsElsewhere: 20,
  looksPerMinute: 600,
  looksElsewhere: 1_200,
} as const

interface PairingEntry {
  readonly view: PairingRequestView
  readonly expires: number
  ended: { readonly state: 'approved' | 'refused'; readonly reach: DeviceReach | null } | null
}

export function createPairing({ gatewayKey, clock, uuid }: PairingOptions): Pairing {
  const entries = new Map<string, PairingEntry>()
  const told = 'Too many pairing requests within a minute.'
  const { attemptsPerMinute, attemptsElsewhere, looksPerMinute, looksElsewhere } = pairingLimits
  const attempts = createSenderRate(clock, { each: attemptsPerMinute, elsewhere: attemptsElsewhere, told })
  const looks = createSenderRate(clock, { each: looksPerMinute, elsewhere: looksElsewhere, told })
  const invited = createInvitations(clock)
  const now = () => clock().getTime()
  const useInvitation = (invitation: string | undefined, { origin }: RequestPlace) => {
    if (origin !== null) invited.use(invitation, origin)
  }
  const isWaiting = (entry: PairingEntry) => entry.ended === null && now() < entry.expires

  /** What is over is told for as long again, and then forgotten. */
  function forget(): void {
    for (const [id, { expires }] of entries)
      if (now() >= expires + pairingLimits.lifetimeMs) entries.delete(id)
  }

  return {
    attempt: ({ sender }) => attempts.take(sender),
    look: ({ sender }) => looks.take(sender),
    invite: invited.add,
    useInvitation,
    request(body, place) {
      forget()
      if (!holdsKey(gatewayKey, body))
        throw new CountersignError('not_authenticated', 'The request is not signed with its own key.', {
          next: 'Reload the page; it creates a new key.',
        })
      useInvitation(body.invitation, place)
      const waiting = [...entries.values()].filter(isWaiting)
      // Nothing is awaited between the count and the entry, so two requests cannot both be the last one.
      if (waiting.length >= pairingLimits.pending)
        throw new CountersignError(
          'limit_reached',
          `${waiting.length} pairing requests are already pending.`,
          {
            next: 'Approve or refuse them with `countersign device list`, or wait ten minutes.',
          },
        )
      if (waiting.some(({ view }) => view.key === body.key))
        throw new CountersignError('conflict', 'A pairing request with this key is already pending.', {
          next: 'Look at the words on both screens.',
        })
      const created = now()
      const expires = created + pairingLimits.lifetimeMs
      const { key, name, platform, reach, nonce, proof = null } = body
      const view: PairingRequestView = {
        id: uuid().replaceAll('-', ''),
        device: idFrom('dev', uuid()),
        key,
        name,
        platform,
        reach,
        nonce,
        proof,
        createdAt: new Date(created).toISOString(),
        expiresAt: new Date(expires).toISOString(),
      }
      entries.set(view.id, { view, expires, ended: null })
      return { id: view.id, device: view.device, expiresAt: view.expiresAt }
    },
    state(id) {
      const entry = entries.get(id)
      if (!entry) return { state: 'expired', device: null, reach: null }
      const device: DeviceId = entry.view.device
      if (entry.ended) return { ...entry.ended, device }
      return { state: isWaiting(entry) ? 'waiting' : 'expired', device, reach: null }
    },
    waiting: () => [...entries.values()].filter(isWaiting).map(({ view }) => view),
    refuse(id) {
      const entry = entries.get(id)
      if (!entry || !isWaiting(entry))
        throw new CountersignError('not_found', 'This request is no longer pending.', {
          next: 'List pending requests with `countersign device list`.',
        })
      entry.ended = { state: 'refused', reach: null }
      return entry.view
    },
    letIn(key, reach) {
      for (const entry of entries.values())
        if (entry.view.key === key && isWaiting(entry)) entry.ended = { state: 'approved', reach }
    },
  }
}

function holdsKey(gatewayKey: string, { key, nonce, signature }: PairingRequestBody): boolean {
  const bytes = Buffer.from(key, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== key) return false
  return verifyText(publicKeyOf(key), pairingText(gatewayKey, key, nonce), signature)
}
