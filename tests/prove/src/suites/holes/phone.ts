/** Owns a second device of the operator in an attack: a phone that was paired, and speaks with a key of its own. */
import { type Client, createClient } from '@countersign/contract/client'
import { fileSigner } from '@countersign/contract/node'
import {
  deviceStatement,
  newHolder,
  signedBy,
} from '../../../../../packages/executor/src/testing/statements.ts'
import type { Scene } from './stage.ts'

export async function pairPhone({ installation, gateway }: Scene): Promise<Client> {
  const { trust, device } = installation.identity
  const phone = newHolder()
  await gateway.client.stateDevice(
    signedBy(deviceStatement(trust.gateway.id, phone, 2, installation.now()), device),
  )
  return createClient({ url: gateway.url, signer: fileSigner({ trust, device: phone }) })
}
