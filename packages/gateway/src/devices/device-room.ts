/** Puts together what a gateway needs to know whom to believe: the two files, pairing, seals and their routes. */
import { watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CountersignError, type DeviceId, type OperatorId } from '@countersign/contract'
import type { HomePaths, TrustFile } from '@countersign/contract/node'
import {
  checkSeal,
  openStatementMemory,
  passkeyVerifier,
  registeredKey,
  type Trusted,
  type TrustSource,
  verifyPasskey,
  watchTrust,
} from '@countersign/executor'
import type { EnrolledDevice, EntryDraft, Kernel, SealChecks } from '@countersign/kernel'
import { addDeviceRoutes } from '../server/devices.ts'
import type { App } from '../server/route.ts'
import type { Server } from '../server/server.ts'
import { createDeviceDesk } from './devices.ts'
import { createPairing } from './pairing.ts'

export interface DeviceRoomOptions {
  readonly trust: TrustFile
  readonly paths: HomePaths
  /** What a page shows of the host that it would pair with. */
  readonly hostName: string
  /** Both come to be after this; nothing is asked of them before. */
  readonly kernel: () => Pick<Kernel, 'act' | 'devices' | 'look'>
  readonly server: () => Pick<Server, 'port' | 'drop' | 'presence'>
  /** Whoever was revoked is out everywhere else too. */
  readonly forgetRevoked: () => Promise<void>
  readonly clock: () => Date
  readonly uuid: () => string
  readonly onProblem: (problem: unknown) => void
}

export interface DeviceRoom {
  readonly trust: TrustSource
  readonly seals: SealChecks
  /** For the first record of a new life. */
  devices(): Promise<readonly EnrolledDevice[]>
  addRoutes(app: App): void
  /** Follows what other programs write; from here on whoever is revoked is out at once. */
  follow(): Promise<{ close(): void }>
}

export function createDeviceRoom(options: DeviceRoomOptions): DeviceRoom {
  const { paths, clock, uuid, onProblem } = options
  const { operator, gateway } = options.trust
  const files = { trust: paths.trust, devices: paths.devices }
  const memory = openStatementMemory(join(paths.data, 'statements-seen.json'))
  const source = watchTrust({ ...files, memory })
  const here = () => ({ ports: [options.server().port] })
  const verifyHere = passkeyVerifier(here)
  const act = (id: OperatorId, entry: EntryDraft) =>
    options.kernel().act(id, entry, { type: 'devices.changed' })
  const pairing = createPairing({ gatewayKey: gateway.key, clock, uuid })
  const desk = createDeviceDesk({
    operator,
    files,
    memory,
    verifyPasskey,
    verifyHere,
    registeredKey: (registration, about) => registeredKey(registration, about, here()),
    record: {
      enrol: (id, devices, now) => options.kernel().devices.enrol(id, devices, now),
      names: async (id) => {
        const rows = await options
          .kernel()
          .look(id, (db) => db.selectFrom('devices').select(['id', 'name']).execute())
        return new Map(rows.map(({ id: device, name }) => [device, name]))
      },
      rename: (id, device, name) => options.kernel().devices.rename(id, device, name),
    },
    pairing,
    act,
    drop: (device: DeviceId) => options.server().drop(device),
    onRevoked: () => void options.forgetRevoked().catch(onProblem),
    presence: (device) => options.server().presence(device),
    clock,
  })

  async function trusted(): Promise<Trusted> {
    const current = await source.current()
    if ('problem' in current)
      throw new CountersignError('config_invalid', `Nobody is believed: ${current.problem}.`)
    return current
  }

  return {
    trust: source,
    seals: {
      check: async (seal, digest, tier) => checkSeal(seal, digest, tier, await trusted(), verifyHere),
      async proves(proof, text) {
        const passkey = (await trusted()).passkeys.get(proof.credential)
        return passkey !== undefined && verifyHere(proof, { key: passkey.key, site: passkey.site, text })
      },
    },
    devices: async () => [...(await desk.believed()).devices.values()],
    addRoutes: (app) =>
      addDeviceRoutes(app, {
        desk,
        pairing,
        about: { gateway: gateway.id, key: gateway.key, name: options.hostName },
        act: (entry) => act(operator, entry),
      }),
    async follow() {
      const refresh = () => {
        desk.refresh().catch(onProblem)
      }
      const watcher = watchFiles(files, refresh, onProblem)
      await desk.refresh()
      return watcher
    },
  }
}

/** Watches the folder, because the trust file is replaced and not written in place. */
function watchFiles(
  files: { readonly trust: string; readonly devices: string },
  changed: () => void,
  onProblem: (error: unknown) => void,
) {
  const names = [basename(files.trust), basename(files.devices)]
  const watcher = watch(dirname(files.trust), (_event, file) => {
    if (file !== null && names.includes(file)) changed()
  })
  watcher.on('error', onProblem)
  return watcher
}
