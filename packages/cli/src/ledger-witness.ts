/**
 * Owns the host's own device as a witness of the ledger: what it saw is kept in a file of this host, looked at again at
 * most once a minute, when a command speaks to the gateway anyway. What was wrong is said at every command until it is
 * cleared.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CountersignError } from '@countersign/contract'
import {
  isWitnessDue,
  nothingWitnessed,
  saysNothingOfLedger,
  type WitnessMemory,
  witnessLedger,
  witnessMemoryOf,
} from '@countersign/contract/client'
import { type HomePaths, nodeWitnessMeans, replaceFile, signText } from '@countersign/contract/node'
import type { Gateway } from './connection.ts'
import { line } from './output/safe-text.ts'

export const witnessEveryMs = 60_000

/** Beside the key that cosigns: the gateway has no business there. */
export function witnessFile(paths: Pick<HomePaths, 'deviceKey'>): string {
  return join(dirname(paths.deviceKey), 'ledger-seen.json')
}

/** A file that cannot be read is a failure and not an empty memory: whoever can damage it could make us forget. */
export function readWitnessMemory(path: string): WitnessMemory {
  if (!existsSync(path)) return nothingWitnessed
  const memory = witnessMemoryOf(plainJson(readFileSync(path, 'utf8')))
  if (memory !== undefined) return memory
  throw new CountersignError('config_invalid', `What this host saw of the ledger cannot be read: ${path}.`, {
    next: 'Find out who changed the file. Move it away to begin anew; a rollback from before is then not noticed here.',
  })
}

function plainJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export function keepWitnessMemory(path: string, memory: WitnessMemory): void {
  replaceFile(path, `${JSON.stringify(memory)}\n`)
}

export interface WitnessPorts {
  readonly paths: Pick<HomePaths, 'deviceKey'>
  readonly now: () => Date
  /** Said to people whatever they asked for. */
  readonly warn: (text: string) => void
  readonly detail: (text: string) => void
}

/** Looks if it is time to, and says what is wrong. The command goes on: the gateway itself stops what acts. */
export async function witnessAtConnect(
  gateway: Pick<Gateway, 'client' | 'identity'>,
  { paths, now, warn, detail }: WitnessPorts,
): Promise<void> {
  const path = witnessFile(paths)
  let memory = readWitnessMemory(path)
  if (isWitnessDue(memory, now(), witnessEveryMs)) {
    try {
      memory = await lookAtLedger(gateway, path, now, memory)
    } catch (error) {
      if (!saysNothingOfLedger(error)) throw error
      memory = readWitnessMemory(path)
      detail(`ledger not witnessed: ${error instanceof Error ? line(error.message) : 'no reason was given'}`)
    }
  }
  if (memory.trouble !== null) warn(troubleText(memory))
}

export function lookAtLedger(
  { client, identity }: Pick<Gateway, 'client' | 'identity'>,
  path: string,
  now: () => Date,
  memory: WitnessMemory,
): Promise<WitnessMemory> {
  const { trust, device } = identity
  return witnessLedger(
    memory,
    client,
    {
      gateway: trust.gateway.id,
      operator: trust.operator,
      gatewayKey: trust.gateway.key,
      device: device.id,
      deviceKey: device.keys.publicKey,
      sign: (text) => signText(device.keys.privateKey, text),
      means: nodeWitnessMeans,
      now,
    },
    (next) => {
      const kept = readWitnessMemory(path)
      const isMoved =
        kept.seen?.note !== memory.seen?.note || (kept.trouble !== null && memory.trouble === null)
      // What was judged against something else is neither kept nor cosigned: two commands may be shown two histories.
      if (isMoved && next.trouble === null)
        throw new CountersignError('conflict', 'Another command looked at the ledger meanwhile.', {
          next: 'Run the command again.',
        })
      keepWitnessMemory(path, isMoved ? { ...next, seen: kept.seen } : next)
    },
  )
}

export function troubleText({ seen, trouble }: WitnessMemory): string {
  return [
    `WARNING: the ledger is not the one that this host saw before: ${line(trouble?.reason ?? '')}.`,
    `This host saw ${seen?.size ?? 0} entries. Either the database was restored from a backup, or somebody with the key of the gateway wrote another history.`,
    'Approve nothing until you know which. See `countersign ledger witnesses`; `countersign ledger clear-alarm` accepts the ledger as it is now.',
  ].join('\n')
}
