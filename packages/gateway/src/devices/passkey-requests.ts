/**
 * Owns which passkeys wait for an existing one to agree: one for each device, a few together, for minutes, in memory.
 * Asking gives nothing; only a statement that a passkey has proven does.
 */
import {
  CountersignError,
  type DeviceId,
  type PasskeyRequestView,
  type PasskeyStatement,
  type RequestPasskey,
} from '@countersign/contract'
import { createSenderRate } from '../server/sender-rate.ts'

export interface PasskeyRequests {
  /** Counts an attempt, whatever comes of it. Throws when there were too many. */
  attempt(device: DeviceId): void
  /** Takes the place of an earlier request of the device. Throws when too many wait. */
  add(body: RequestPasskey, device: DeviceId): PasskeyRequestView
  /** Those that wait, and for as long what became of the others. */
  all(): PasskeyRequestView[]
  /** The one that waits for exactly this passkey. */
  waitingFor(passkey: RequestedKey): WaitingPasskey | undefined
  approve(id: string): void
  /** Throws when it does not wait any more. */
  refuse(id: string): PasskeyRequestView
  /** Those that may not ask any more are gone. */
  keepOnly(mayAsk: (request: PasskeyRequestView) => boolean): void
}

export const passkeyRequestLimits = { lifetimeMs: 5 * 60_000, waiting: 5, attemptsPerMinute: 5 } as const

type RequestedKey = Pick<PasskeyStatement, 'credential' | 'key' | 'site'>

export interface WaitingPasskey {
  readonly view: PasskeyRequestView
  /** What the authenticator answered, to be checked again before it is filed. */
  readonly registration: RequestPasskey['registration']
}

interface PasskeyEntry extends WaitingPasskey {
  readonly expires: number
  readonly view: PasskeyRequestView
}

export function createPasskeyRequests(clock: () => Date, uuid: () => string): PasskeyRequests {
  let entries: readonly PasskeyEntry[] = []
  const { lifetimeMs, waiting: most, attemptsPerMinute } = passkeyRequestLimits
  const told = 'This device asked for too many passkeys within a minute.'
  const attempts = createSenderRate(clock, { each: attemptsPerMinute, elsewhere: Number.MAX_VALUE, told })
  const current = () => {
    const now = clock().getTime()
    entries = entries.filter(({ expires }) => now < expires)
    return entries
  }
  const waiting = () => current().filter(({ view }) => view.state === 'waiting')
  const end = (id: string, state: 'approved' | 'refused') => {
    entries = entries.map((each) => (each.view.id === id ? { ...each, view: { ...each.view, state } } : each))
  }

  return {
    attempt: (device) => attempts.take(device),
    add({ registration, ...described }, device) {
      const others = current().filter(({ view }) => view.device !== device)
      if (others.filter(({ view }) => view.state === 'waiting').length >= most)
        throw new CountersignError('limit_reached', `${most} passkeys already wait for approval.`, {
          next: 'Approve or refuse them on the Devices screen, or wait five minutes.',
        })
      const created = clock().getTime()
      const expires = created + lifetimeMs
      const view: PasskeyRequestView = {
        id: uuid().replaceAll('-', ''),
        device,
        ...described,
        state: 'waiting',
        createdAt: new Date(created).toISOString(),
        expiresAt: new Date(expires).toISOString(),
      }
      entries = [...others, { view, registration, expires }]
      return view
    },
    all: () => current().map(({ view }) => view),
    waitingFor: ({ credential, key, site }) =>
      waiting().find(({ view }) => view.credential === credential && view.key === key && view.site === site),
    approve: (id) => end(id, 'approved'),
    refuse(id) {
      const found = waiting().find(({ view }) => view.id === id)
      if (!found)
        throw new CountersignError('not_found', 'This passkey no longer waits for approval.', {
          next: 'List what waits with `countersign device list`.',
        })
      end(id, 'refused')
      return found.view
    },
    keepOnly(mayAsk) {
      entries = entries.filter(({ view }) => mayAsk(view))
    },
  }
}
