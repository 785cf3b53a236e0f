/** Puts together what a gateway needs to know whom to believe: the two files, pairing, seals and their routes. */
import { watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CountersignError, type DeviceId, type OperatorId, type SignedStatement } from '@countersign/contract'
import type { Believed, HomePaths, TrustFile } from '@countersign/contract/node'
import {
  checkSeal,
  openStatementMemory,
  passkeyVerifier,
  registeredKey,
  type TrustedKeys,
  type TrustSource,
  verifyPasskey,
  watchTrust,
} from '@countersign/executor'
import type { EnrolledDevice, EntryDraft, OpenedKernel, SealChecks } from '@countersign/kernel'
import { addDeviceRoutes } from '../server/devices.ts'
import type { App } from '../server/route.ts'
import type { Server } from '../server/server.ts'
import { createDeviceRegistry } from './device-registry.ts'
import { createPairing, type Pairing } from './pairing.ts'
import { createPasskeyRequests } from './passkey-requests.ts'

export interface DeviceAccessOptions {
  readonly trust: TrustFile
  readonly paths: HomePaths
  /** What a page shows of the host that it would pair with. */
  readonly hostName: string
  readonly publicOrigins: readonly string[]
  readonly storage: Pick<OpenedKernel, 'act' | 'devices' | 'readOnly'>
  readonly clock: () => Date
  readonly uuid: () => string
  readonly onProblem: (problem: unknown) => void
}

/** What listens for devices. */
export interface DeviceServer {
  readonly server: Pick<Server, 'port' | 'drop' | 'presence'>
  /** Whoever was revoked is out everywhere else too. */
  readonly forgetRevoked: () => Promise<void>
}

/** Whoever keeps something of their own in line with the statements. */
export interface StatementListener {
  filed(signed: SignedStatement): void
  changed(now: Believed): void
}

export interface DeviceAccess {
  readonly trust: TrustSource
  /** Who may ask, how often, and from where: of nodes as of devices. */
  readonly pairing: Pick<Pairing, 'attempt' | 'look' | 'useInvitation'>
  /** There is one listener. */
  listen(listener: StatementListener): void
  readonly seals: SealChecks
  /** What the operator calls each device and passkey, those that are revoked too. */
  names(): Promise<ReadonlyMap<string, string>>
  /** Who is believed now, nodes too. */
  believed(): Promise<Believed>
  /** For the first record of a new life. */
  devices(): Promise<readonly EnrolledDevice[]>
  addRoutes(app: App): void
  /**
   * From here on devices can come to the server, passkeys of its pages hold, and whoever is revoked is out at once,
   * also by what other programs write.
   */
  follow(listening: DeviceServer): Promise<{ close(): void }>
}

export function createDeviceAccess(options: DeviceAccessOptions): DeviceAccess {
  const { paths, storage, clock, uuid, onProblem } = options
  const { operator, gateway } = options.trust
  const files = { trust: paths.trust, devices: paths.devices }
  const memory = openStatementMemory(join(paths.data, 'statements-seen.json'))
  const source = watchTrust({ ...files, memory })
  let listening: DeviceServer | undefined
  let listener: StatementListener | undefined
  const { publicOrigins } = options
  const here = () => ({
    ports: [...(listening ? [listening.server.port] : []), ...localPorts(publicOrigins)],
    pages: publicOrigins,
  })
  const verifyHere = passkeyVerifier(here)
  const act = (id: OperatorId, entry: EntryDraft) => storage.act(id, entry, { type: 'devices.changed' })
  const pairing = createPairing({ gatewayKey: gateway.key, clock, uuid })
  const registry = createDeviceRegistry({
    operator,
    publicOrigins,
    files,
    memory,
    verifyPasskey,
    verifyHere,
    registeredKey: (registration, about) => registeredKey(registration, about, here()),
    record: {
      enrol: storage.devices.enrol,
      names: async (id) => {
        const rows = await storage.readOnly(id, (db) =>
          db.selectFrom('devices').select(['id', 'name']).execute(),
        )
        return new Map(rows.map(({ id: device, name }) => [device, name]))
      },
      rename: storage.devices.rename,
    },
    pairing,
    passkeyRequests: createPasskeyRequests(clock, uuid),
    act,
    drop: (device: DeviceId) => listening?.server.drop(device),
    filed: (signed) => listener?.filed(signed),
    changed: (now) => listener?.changed(now),
    onRevoked: () => void listening?.forgetRevoked().catch(onProblem),
    presence: (device) => listening?.server.presence(device) ?? { connections: 0, seenAt: null },
    clock,
  })

  async function trusted(): Promise<TrustedKeys> {
    const current = await source.current()
    if ('problem' in current)
      throw new CountersignError('config_invalid', `Nobody is believed: ${current.problem}.`)
    return current
  }

  return {
    trust: source,
    pairing,
    listen(given) {
      listener = given
    },
    seals: {
      check: async (seal, digest, tier) => checkSeal(seal, digest, tier, await trusted(), verifyHere),
      async proves(proof, text) {
        const { passkeys, origins } = await trusted()
        const passkey = passkeys.get(proof.credential)
        return (
          passkey !== undefined && verifyHere(proof, { key: passkey.key, site: passkey.site, text, origins })
        )
      },
    },
    async names() {
      const rows = await storage.readOnly(operator, (db) =>
        db.selectFrom('devices').select(['id', 'name']).execute(),
      )
      return new Map<string, string>(rows.map(({ id, name }) => [id, name]))
    },
    believed: () => registry.believed(),
    devices: async () => [...(await registry.believed()).devices.values()],
    addRoutes: (app) =>
      addDeviceRoutes(app, {
        registry,
        pairing,
        about: { gateway: gateway.id, key: gateway.key, name: options.hostName },
        act: (entry) => act(operator, entry),
      }),
    async follow(server) {
      listening = server
      const refresh = () => {
        registry.refresh().catch(onProblem)
      }
      const watcher = watchFiles(files, refresh, onProblem)
      await registry.refresh()
      return watcher
    },
  }
}

/** A tunnel may lead to this computer from another port of `localhost`. */
function localPorts(origins: readonly string[]): number[] {
  return origins
    .map((origin) => new URL(origin))
    .filter(({ protocol }) => protocol === 'http:')
    .map(({ port }) => Number(port || 80))
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
