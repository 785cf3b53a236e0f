/**
 * Owns what a device does to witness its gateway's ledger: it looks at most so often, keeps what it saw, cosigns it,
 * and holds on to what was wrong until the operator accepts the ledger anew. Where it is kept is passed in.
 */
import { CountersignError } from '../errors.ts'
import {
  type ComplaintCode,
  cosign,
  ledgerOrigin,
  type SeenHead,
  vkeyFor,
  type WitnessMeans,
  witnessName,
  witnessStep,
} from '../ledger-witness.ts'
import { readNote } from '../signed-note.ts'
import type { Client } from './http.ts'

export interface WitnessTrouble {
  readonly at: string
  readonly code: ComplaintCode
  /** A sentence for people. */
  readonly reason: string
  /** What was shown, for whoever looks into it. */
  readonly shown: string
}

/** What a device keeps of the ledger. */
export interface WitnessMemory {
  readonly seen: SeenHead | null
  readonly checkedAt: string | null
  /** It stays, whatever is shown later: a gateway that showed two histories is not believed because it shows one again. */
  readonly trouble: WitnessTrouble | null
}

export const nothingWitnessed: WitnessMemory = { seen: null, checkedAt: null, trouble: null }

export interface WitnessOfDevice {
  readonly gateway: string
  readonly operator: string
  /** The gateway's own key, the raw 32 bytes in base64. */
  readonly gatewayKey: string
  readonly device: string
  /** The key of the device, the same way. */
  readonly deviceKey: string
  readonly sign: (text: string) => Promise<string> | string
  readonly means: WitnessMeans
  readonly now: () => Date
}

type WitnessClient = Pick<Client, 'ledgerHead' | 'reportSeenHead' | 'complainOfLedger'>

export function isWitnessDue({ checkedAt }: WitnessMemory, now: Date, everyMs: number): boolean {
  if (checkedAt === null) return true
  const age = now.getTime() - Date.parse(checkedAt)
  return !(age >= 0 && age < everyMs)
}

/**
 * Looks at the ledger once. `keep` is awaited before anything is cosigned or reported, so that what a device said it
 * saw is always what it remembers. Returns what is kept then.
 */
export async function witnessLedger(
  memory: WitnessMemory,
  client: WitnessClient,
  device: WitnessOfDevice,
  keep: (memory: WitnessMemory) => Promise<void> | void,
): Promise<WitnessMemory> {
  const origin = ledgerOrigin(device.gateway, device.operator)
  const key = await vkeyFor({ name: origin, raw: device.gatewayKey, signs: 'checkpoints' }, device.means)
  const seen = memory.seen ?? undefined
  const shown = await client.ledgerHead(seen?.size ?? 0)
  const step = await witnessStep(seen, shown, key, device.means)
  const checkedAt = device.now().toISOString()
  if (step.kind === 'complaint') {
    const found = { at: checkedAt, code: step.code, reason: step.reason, shown: shown.note }
    const troubled = { seen: memory.seen, checkedAt, trouble: memory.trouble ?? found }
    await keep(troubled)
    if (seen) await client.complainOfLedger({ note: seen.note, reason: step.reason })
    return troubled
  }
  // While something is wrong nothing is cosigned: what was seen stays the proof.
  if (memory.trouble !== null) {
    const waiting = { ...memory, checkedAt }
    await keep(waiting)
    return waiting
  }
  const kept = { seen: step.seen, checkedAt, trouble: null }
  await keep(kept)
  if (step.seen.size > 0) {
    const by = {
      name: witnessName(device.gateway, device.device),
      raw: device.deviceKey,
      at: device.now(),
      sign: device.sign,
    }
    await client.reportSeenHead({
      size: step.seen.size,
      cosignature: await cosign(step.seen, by, device.means),
    })
  }
  return kept
}

/** Of what was read from a file or a browser; undefined for another form, which is no empty memory. */
export function witnessMemoryOf(value: unknown): WitnessMemory | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { seen, checkedAt, trouble } = value as Partial<Record<keyof WitnessMemory, unknown>>
  const kept = seen === null ? null : seenOf(seen)
  const isTime = checkedAt === null || typeof checkedAt === 'string'
  if (kept === undefined || !isTime || !(trouble === null || isTrouble(trouble))) return undefined
  return { seen: kept, checkedAt, trouble }
}

/** Size and root are read from the note, so that they are what was signed. */
function seenOf(value: unknown): SeenHead | undefined {
  const text = (value as Partial<Record<keyof SeenHead, unknown>> | undefined)?.note
  const note = typeof text === 'string' ? readNote(text) : 'none'
  if (typeof note === 'string' || typeof text !== 'string') return undefined
  return { origin: note.origin, size: note.size, root: note.root, note: text }
}

/** A gateway of before has no such route; one that is away answers nothing. Neither says anything of the ledger. */
export function saysNothingOfLedger(error: unknown): boolean {
  return error instanceof CountersignError
}

function isTrouble(value: unknown): value is WitnessTrouble {
  if (typeof value !== 'object' || value === null) return false
  const { at, code, reason, shown } = value as Record<string, unknown>
  return [at, code, reason, shown].every((each) => typeof each === 'string')
}
