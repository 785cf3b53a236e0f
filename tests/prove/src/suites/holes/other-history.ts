/** Owns a checkpoint of a history that the ledger is not, as whoever holds the key of the gateway could have shown it. */
import { createHash } from 'node:crypto'
import { ledgerOrigin } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { gatewayKeyPath, type KeyPair, readKey } from '@countersign/contract/node'
import type { Installation } from '@countersign/harness'
import { signCheckpoint } from '../../../../../packages/kernel/src/ledger/checkpoint.ts'
import type { Scene } from './stage.ts'

export interface OtherHistory {
  readonly size: number
  readonly root: Uint8Array
  /** Left out, the gateway. */
  readonly signer?: KeyPair
}

export function otherHistory(
  { identity, paths }: Pick<Installation, 'identity' | 'paths'>,
  { size, root, signer = readKey(gatewayKeyPath(paths)) }: OtherHistory,
): string {
  const { gateway, operator } = identity.trust
  return signCheckpoint({
    origin: ledgerOrigin(gateway.id, operator),
    size,
    root,
    privateKey: signer.privateKey,
  })
}

/** Somebody saw what the ledger is not any more: from here on only looks run. */
export async function raiseAlarm({ installation }: Scene, witness: Client): Promise<string> {
  const root = createHash('sha256').update('another history').digest()
  const note = otherHistory(installation, { size: 2, root })
  return (await witness.complainOfLedger({ note, reason: 'another history was seen' })).result
}
