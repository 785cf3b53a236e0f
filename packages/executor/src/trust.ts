/** Owns the keys that this executor believes, read again whenever the trust file changes. Unreadable means nobody. */
import type { KeyObject } from 'node:crypto'
import { statSync } from 'node:fs'
import { type DeviceId, type ExecutorId, type GatewayId, type OperatorId } from '@countersign/contract'
import { publicKeyOf, readTrust } from '@countersign/contract/node'

export interface Trusted {
  readonly operator: OperatorId
  readonly gateway: { readonly id: GatewayId; readonly key: KeyObject }
  readonly executor: { readonly id: ExecutorId; readonly key: string }
  /** Revoked devices are left out. */
  readonly devices: ReadonlyMap<DeviceId, KeyObject>
}

export interface TrustSource {
  current(): Trusted | { readonly problem: string }
}

export function watchTrust(path: string): TrustSource {
  let seen: { stamp: string; trusted: Trusted } | undefined
  return {
    current() {
      try {
        const { ino, mtimeNs, ctimeNs, size } = statSync(path, { bigint: true })
        const stamp = `${ino}:${mtimeNs}:${ctimeNs}:${size}`
        if (seen?.stamp !== stamp) seen = { stamp, trusted: load(path) }
        return seen.trusted
      } catch (error) {
        seen = undefined
        return {
          problem: `the trust file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        }
      }
    },
  }
}

function load(path: string): Trusted {
  const file = readTrust(path)
  const believed = file.devices.filter((device) => device.revokedAt === null)
  return {
    operator: file.operator,
    gateway: { id: file.gateway.id, key: publicKeyOf(file.gateway.key) },
    executor: file.executor,
    devices: new Map(believed.map((device) => [device.id, publicKeyOf(device.key)])),
  }
}
