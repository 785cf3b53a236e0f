/**
 * Owns by what a question that brought no id is known. MQTT has none: a packet id stands for a message only until it is
 * acknowledged, and then for another. So each delivery is given an id and a time that are kept before it is handed over.
 * What the broker delivers again (marked as a duplicate, under the same packet id, with the same words) is the same
 * question, also in another process; what it delivers for the first time is a new one, whatever it says.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'

export interface Delivery {
  readonly topic: string
  readonly payload: Uint8Array
  /** Null for one that is not acknowledged and never delivered again. */
  readonly packet: number | null
  /** The broker has delivered it before, or has tried to. */
  readonly isAgain: boolean
}

export interface KnownAs {
  readonly id: string
  readonly at: string
}

export interface Deliveries {
  /** Resolves when it is kept. Called for one after the other. */
  knownAs(delivery: Delivery): Promise<KnownAs>
  /** The broker begins a new session: no packet id stands for what it stood for. */
  forget(): void
}

/** So many are under way at most, and are acknowledged in order: an older one is not delivered again. */
export const mostUnderWay = 32

const Kept = z.array(
  z.strictObject({ packet: z.int(), print: z.string(), id: z.string(), at: z.iso.datetime() }),
)

/** What another version kept is not known: then one question may be asked twice. */
function readKept(state: string | null): z.infer<typeof Kept> {
  if (state === null) return []
  try {
    return Kept.parse(JSON.parse(state))
  } catch {
    return []
  }
}

export interface DeliveryParts {
  readonly state: string | null
  readonly keep: (state: string) => Promise<void>
  readonly clock: () => Date
  readonly uuid: () => string
}

export function createDeliveries({ state, keep, clock, uuid }: DeliveryParts): Deliveries {
  let known = readKept(state)
  return {
    forget() {
      known = []
    },
    async knownAs({ topic, payload, packet, isAgain }) {
      const fresh = { id: `mqtt-${uuid()}`, at: clock().toISOString() }
      if (packet === null) return fresh
      const print = createHash('sha256').update(`${topic}\0`).update(payload).digest('base64url').slice(0, 22)
      const before = known.find((one) => one.packet === packet)
      if (isAgain && before?.print === print) return { id: before.id, at: before.at }
      const next = [...known.filter((one) => one !== before), { packet, print, ...fresh }].slice(
        -mostUnderWay,
      )
      await keep(JSON.stringify(next))
      known = next
      return fresh
    },
  }
}
