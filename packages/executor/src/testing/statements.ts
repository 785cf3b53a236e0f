/** Statements as the operator's devices sign them, for tests. */
import { randomUUIDv7 } from 'node:crypto'
import {
  type DeviceId,
  type DeviceReach,
  type GatewayId,
  idFrom,
  type SignedStatement,
  statementText,
  type TrustStatement,
} from '@countersign/contract'
import { generateKey, type KeyPair, signText } from '@countersign/contract/node'
import type { Authenticator } from './authenticator.ts'

export interface Holder {
  readonly id: DeviceId
  readonly keys: KeyPair
}

export function newHolder(): Holder {
  return { id: idFrom('dev', randomUUIDv7()), keys: generateKey() }
}

export function deviceStatement(
  gateway: GatewayId,
  { id, keys }: Holder,
  reach: DeviceReach,
  at: Date = new Date(),
): TrustStatement {
  return {
    v: 1,
    gateway,
    at: at.toISOString(),
    kind: 'device',
    device: id,
    key: keys.publicKey,
    name: `phone ${id.slice(-6)}`,
    platform: 'test',
    reach,
  }
}

export function passkeyStatement(
  gateway: GatewayId,
  { credential, key }: Authenticator,
  at: Date = new Date(),
): TrustStatement {
  return {
    v: 1,
    gateway,
    at: at.toISOString(),
    kind: 'passkey',
    credential,
    key,
    name: 'key',
    site: 'localhost',
  }
}

export function revocation(gateway: GatewayId, target: string, at: Date = new Date()): TrustStatement {
  return { v: 1, gateway, at: at.toISOString(), kind: 'revoke', target }
}

export function signedBy(
  statement: TrustStatement,
  by: Holder | null,
  passkey?: Authenticator,
): SignedStatement {
  const text = statementText(statement)
  return {
    statement,
    by: by && { device: by.id, signature: signText(by.keys.privateKey, text) },
    passkey: passkey?.prove(text) ?? null,
  }
}
