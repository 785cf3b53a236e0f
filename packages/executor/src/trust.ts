/**
 * Owns the keys that this executor believes, read again whenever the trust file or the statements about devices
 * change. Unreadable means nobody.
 */
import type { KeyObject } from 'node:crypto'
import type { DeviceId, DeviceReach, ExecutorId, GatewayId, OperatorId } from '@countersign/contract'
import {
  type BelievedFiles,
  type BelievedPasskey,
  diskFullWords,
  isDiskFull,
  liveDevices,
  liveOrigins,
  livePasskeys,
  publicKeyOf,
  type TrustState,
  type VerifyPasskey,
  watchBelieved,
} from '@countersign/contract/node'
import { verifyPasskey } from './passkey.ts'
import type { StatementMemory } from './statement-memory.ts'

export interface TrustedDevice {
  readonly key: KeyObject
  readonly reach: DeviceReach
}

export interface TrustedKeys {
  readonly operator: OperatorId
  readonly gateway: { readonly id: GatewayId; readonly key: KeyObject }
  readonly executor: { readonly id: ExecutorId; readonly key: string }
  /** Revoked devices are left out. */
  readonly devices: ReadonlyMap<DeviceId, TrustedDevice>
  /** By credential; revoked ones are left out. */
  readonly passkeys: ReadonlyMap<string, BelievedPasskey>
  /** Where passkeys may be used, beside this computer itself; revoked ones are left out. */
  readonly origins: readonly string[]
}

export interface TrustSource {
  current(): Promise<TrustedKeys | { readonly problem: string }>
}

export interface TrustFiles extends BelievedFiles {
  /** What was seen of the statements before. */
  readonly memory?: StatementMemory
}

export function watchTrust(places: TrustFiles, verify: VerifyPasskey = verifyPasskey): TrustSource {
  const { memory } = places
  const trustState = watchBelieved(places, verify, memory && ((bytes) => memory.refusal(bytes)))
  let known: { readonly trustState: TrustState; readonly trusted: TrustedKeys } | undefined
  return {
    async current() {
      try {
        const now = await trustState()
        if (known?.trustState !== now) known = { trustState: now, trusted: trustedOf(now) }
        return known.trusted
      } catch (error) {
        if (isDiskFull(error)) return { problem: `${diskFullWords} Free some space, then try again.` }
        const words = error instanceof Error ? error.message : String(error)
        return {
          problem: `the trust file ${places.trust}, or what was signed about devices, cannot be read: ${words}`,
        }
      }
    },
  }
}

function trustedOf({ trust, believed }: TrustState): TrustedKeys {
  return {
    operator: trust.operator,
    gateway: { id: trust.gateway.id, key: publicKeyOf(trust.gateway.key) },
    executor: trust.executor,
    devices: new Map(
      liveDevices(believed).map(({ id, key, reach }) => [id, { key: publicKeyOf(key), reach }]),
    ),
    passkeys: new Map(livePasskeys(believed).map((passkey) => [passkey.credential, passkey])),
    origins: liveOrigins(believed),
  }
}
