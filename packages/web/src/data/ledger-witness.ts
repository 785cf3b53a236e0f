/**
 * Owns this browser as a witness of the ledger: at most once in ten minutes it looks whether the ledger continues what it
 * saw, and keeps what was wrong until a person accepts the ledger as it is.
 */
import { CountersignError, webWitnessMeans } from '@countersign/contract'
import {
  type Client,
  isWitnessDue,
  nothingWitnessed,
  type WitnessMemory,
  witnessLedger,
  witnessMemoryOf,
} from '@countersign/contract/client'

export const witnessEveryMs = 10 * 60_000

/** What this browser keeps of the ledger, in its own storage. */
export interface WitnessStore {
  /** Undefined where nothing was kept. */
  get(): Promise<unknown>
  put(memory: WitnessMemory): Promise<void>
}

export interface WitnessPorts {
  readonly client: Pick<Client, 'ledgerHead' | 'reportSeenHead' | 'complainOfLedger'>
  readonly store: WitnessStore
  readonly device: {
    readonly gateway: string
    readonly gatewayKey: string
    readonly device: string
    readonly publicKey: string
    readonly sign: (text: string) => Promise<string>
  }
  readonly operator: string
  readonly now: () => Date
  /** One page of this browser at a time. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
}

/** Looks if it is time to; what is kept is told either way. */
export function lookAtLedger(ports: WitnessPorts): Promise<WitnessMemory> {
  const { client, store, device, operator, now } = ports
  return ports.alone(async () => {
    const memory = memoryOf(await store.get(), now())
    if (!isWitnessDue(memory, now(), witnessEveryMs)) return memory
    const { publicKey: deviceKey } = device
    try {
      return await witnessLedger(
        memory,
        client,
        { ...device, deviceKey, operator, means: webWitnessMeans, now },
        (next) => store.put(next),
      )
    } catch (error) {
      // Nothing that answers says nothing of the ledger; what was wrong before is kept already.
      if (!(error instanceof CountersignError)) throw error
      return memoryOf(await store.get(), now())
    }
  })
}

/** What was kept and cannot be read is as suspect as a ledger that changed. */
function memoryOf(kept: unknown, now: Date): WitnessMemory {
  if (kept === undefined) return nothingWitnessed
  const reason = 'what this browser kept of the ledger cannot be read'
  const trouble = { at: now.toISOString(), code: 'form' as const, reason, shown: '' }
  return witnessMemoryOf(kept) ?? { ...nothingWitnessed, checkedAt: now.toISOString(), trouble }
}
