/**
 * Owns the trust file: the keys that an executor believes. It is written by the operator's own program on this host,
 * never by the gateway, so that a gateway cannot appoint a device.
 */

import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { CountersignError } from '../errors.ts'
import { DeviceId, ExecutorId, GatewayId, idFrom, OperatorId } from '../ids.ts'
import { replaceFile, writeNew } from './files.ts'
import type { HomePaths } from './home.ts'
import { type KeyPair, readOrCreateKey } from './keys.ts'
import { prepareOwnFolder } from './own-folder.ts'

export const TrustFile = z.strictObject({
  v: z.literal(1),
  operator: OperatorId,
  gateway: z.strictObject({ id: GatewayId, key: z.base64() }),
  executor: z.strictObject({ id: ExecutorId, key: z.base64() }),
  devices: z.array(
    z.strictObject({
      id: DeviceId,
      name: z.string(),
      key: z.base64(),
      addedAt: z.string(),
      revokedAt: z.string().nullable(),
    }),
  ),
})
export type TrustFile = z.infer<typeof TrustFile>

export interface HostIdentity {
  readonly trust: TrustFile
  readonly device: { readonly id: DeviceId; readonly keys: KeyPair }
}

export const gatewayKeyPath = (paths: HomePaths) => join(paths.keys, 'gateway.key')
export const executorKeyPath = (paths: HomePaths) => join(paths.executor, 'executor.key')

export function readTrust(path: string): TrustFile {
  try {
    return TrustFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new CountersignError('config_invalid', `The trust file ${path} is missing or damaged.`, { cause })
  }
}

/** Makes the keys and the trust file of this host on first use; afterwards only reads them. */
export function establishHost(paths: HomePaths, deviceName: string, now: Date): HostIdentity {
  for (const folder of [paths.data, dirname(paths.deviceKey), paths.keys, paths.executor])
    prepareOwnFolder(folder)
  const keys = readOrCreateKey(paths.deviceKey)
  const gateway = readOrCreateKey(gatewayKeyPath(paths))
  const executor = readOrCreateKey(executorKeyPath(paths))
  const first: TrustFile = {
    v: 1,
    operator: idFrom('op', randomUUIDv7()),
    gateway: { id: idFrom('gw', randomUUIDv7()), key: gateway.publicKey },
    executor: { id: idFrom('exe', randomUUIDv7()), key: executor.publicKey },
    devices: [
      {
        id: idFrom('dev', randomUUIDv7()),
        name: deviceName,
        key: keys.publicKey,
        addedAt: now.toISOString(),
        revokedAt: null,
      },
    ],
  }
  writeNew(paths.trust, `${JSON.stringify(first, null, 2)}\n`)
  const trust = readTrust(paths.trust)
  const device = trust.devices.find((entry) => entry.key === keys.publicKey)
  if (!device) {
    throw new CountersignError(
      'not_authenticated',
      `The device key ${paths.deviceKey} is not in the trust file.`,
    )
  }
  return { trust, device: { id: device.id, keys } }
}

/** Revocation only ever tightens, so it needs no more than the right to write the file. */
export function revokeDevice(path: string, device: DeviceId, now: Date): void {
  const trust = readTrust(path)
  const devices = trust.devices.map((entry) =>
    entry.id === device && entry.revokedAt === null ? { ...entry, revokedAt: now.toISOString() } : entry,
  )
  replaceFile(path, `${JSON.stringify({ ...trust, devices }, null, 2)}\n`)
}
