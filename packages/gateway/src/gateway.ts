/** Owns one life of the gateway: database, executor, kernel and server, opened in order and closed in reverse. */
import { randomUUIDv7 } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddingPort, ModelPort } from '@countersign/agent'
import {
  type Assistant,
  assistantMigrations,
  createAssistant,
  createWorkspaceWatcher,
  oldOccurrences,
} from '@countersign/assistant'
import { CountersignError } from '@countersign/contract'
import {
  createRedactor,
  executorKeyPath,
  gatewayKeyPath,
  ownFolders,
  prepareOwnFolder,
  readKey,
  requireOwnFolder,
  signLease,
  signText,
  type TrustFile,
  workspaceNext,
  workspaceProblem,
} from '@countersign/contract/node'
import {
  type ExecutorClient,
  openVaultAt,
  startExecutor,
  systemClocks,
  type VaultPlace,
  vaultPlace,
} from '@countersign/executor'
import { type HouseRecords, type Kernel, maskedModel, openKernel } from '@countersign/kernel'
import { installPart } from '@countersign/models'
import { builtinTools, catalogueOf, createRegistry, type ToolDefinition } from '@countersign/tools'
import { createLedger, createViews } from '@countersign/views'
import { createAutonomy } from './autonomy.ts'
import { type Config, readPolicyFiles } from './config.ts'
import { startDatabase } from './database/database.ts'
import { databaseFromUrl } from './database/external-database.ts'
import { createDeviceRoom } from './devices/device-room.ts'
import { createDiskUse } from './disk-use.ts'
import { executorPort } from './executor-port.ts'
import { createHouse } from './house/house.ts'
import { createToolAdmin } from './house/tool-admin.ts'
import { choicesOf, createToolSource } from './house/tool-source.ts'
import { hasOtherLease, writeLease } from './lease.ts'
import { createLive } from './live/live.ts'
import { createLog, wordsOf } from './log.ts'
import { mindRooms } from './mind-rooms.ts'
import { readGauges } from './observe/gauges.ts'
import { openObservation } from './observe/observation.ts'
import { addOnboardingRoutes, createOnboarding, equipOnboarding } from './onboarding/index.ts'
import { openPush } from './push/push.ts'
import { startRetention } from './retention-job.ts'
import { addApprovalRoutes } from './server/approvals.ts'
import { addCostRoutes } from './server/costs.ts'
import { addFileRoutes } from './server/files.ts'
import { addGrantRoutes } from './server/grants.ts'
import { addLedgerRoutes } from './server/ledger.ts'
import { addLiveRoutes } from './server/live.ts'
import { addMetricsRoute } from './server/metrics.ts'
import { addModelRoutes } from './server/models.ts'
import { addPartRoutes } from './server/parts.ts'
import { addProviderRoutes } from './server/providers.ts'
import { addPushRoutes } from './server/push.ts'
import { createSecretAdmin } from './server/secrets.ts'
import { startServer } from './server/server.ts'
import { createStatus } from './status.ts'
import { version } from './version.ts'
import { createEmbeddings } from './voice/embeddings.ts'
import { createReconciler } from './voice/reconcile.ts'
import { createVoice } from './voice/voice.ts'

/** As long as the router looks back to judge a provider. */
const rememberedMs = 15 * 60_000

export interface GatewayOptions {
  readonly config: Config
  /** The keys that this host believes. The device's own key is not among them. */
  readonly trust: TrustFile
  readonly executorMain: string
  /** The folder of the built web app. */
  readonly pages?: string | null
  readonly write: (line: string) => void
  /** A model other than the configured one, for tests and benches that measure everything else. */
  readonly model?: ModelPort
  /** Tools besides the built-in ones, run in the house. */
  readonly tools?: readonly ToolDefinition[]
  readonly clock?: () => Date
}

export interface Gateway {
  readonly url: string
  readonly kernel: Kernel
  /** For whoever searches by meaning. */
  readonly embeddings: EmbeddingPort
  /** Resolves when something broke that only a new start can mend. */
  readonly broken: Promise<unknown>
  close(options?: { stopDatabase: boolean }): Promise<void>
}

export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, trust } = options
  const { paths } = config
  const problem = workspaceProblem(paths.workspace, ownPlaces(paths))
  if (problem !== undefined) throw new CountersignError('workspace_unsafe', problem, { next: workspaceNext })
  const clock = options.clock ?? (() => new Date())
  const redactor = createRedactor()
  for (const [name, value] of keptOut(config)) redactor.register(name, value)
  const log = createLog(options.write, redactor.text, clock)
  const onProblem = (problem: unknown) => log(wordsOf(problem))
  const broken = Promise.withResolvers<unknown>()
  const startedAt = clock()
  for (const folder of [paths.data, paths.keys, paths.state, paths.lease]) prepareOwnFolder(folder)
  for (const folder of [dirname(paths.config), paths.policies]) requireOwnFolder(folder)
  mkdirSync(paths.workspace, { recursive: true, mode: 0o700 })
  const gatewayKey = readKey(gatewayKeyPath(paths))
  if (gatewayKey.publicKey !== trust.gateway.key)
    throw new CountersignError(
      'config_invalid',
      `The key ${gatewayKeyPath(paths)} is not that of the trust file.`,
    )

  const sign = (text: string) => signText(gatewayKey.privateKey, text)

  const place = vaultPlace(paths, trust.gateway.id, config.vaultKey)
  const vault = await openVaultAt(place, { clock, onProblem })
  const registry = createRegistry()
  registry.add({ source: 'built-in', tools: () => builtinTools })
  if (options.tools) registry.add({ source: 'given', tools: () => options.tools ?? [] })

  equipOnboarding(registry, config, onProblem)

  let keepDatabase = false
  const closers: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of closers.toReversed()) await close().catch(onProblem)
  }

  try {
    const [database, executor] = await settleAll([
      openDatabase(config, log),
      openExecutor(options, place, log),
    ])
    closers.push(async () => {
      // Another gateway of this home may still work with it.
      if (!keepDatabase && !hasOtherLease(paths.lease, process.pid)) await database.stop()
    })
    closers.push(() => executor.close())
    // Masked before the first run goes on; an act is recorded only once there is a server to ask for it.
    const secrets = createSecretAdmin({ vault, redactor, act: (id, entry) => kernel.act(id, entry) })
    await secrets.refresh()
    const seen = await openObservation(config.telemetry, {
      version,
      onProblem,
      read: () =>
        readGauges({ operator: trust.operator, views, providers: voice.providers, budgets: kernel.budgets }),
    })
    closers.push(() => seen.close())
    // A run that goes on from before asks for a model while the kernel is still being opened.
    let kept: HouseRecords | undefined
    let assistant: Assistant | undefined
    const voice = createVoice({
      records: () => kept ?? kernel.records,
      operator: trust.operator,
      vault,
      secrets,
      configured: config.model,
      environmentKeys: config.environmentKeys,
      meterFor: ({ operator }) => kernel.meterFor(operator),
      mask: redactor.json,
      folder: paths.data,
      clock,
      observers: seen.observers,
      onProblem,
    })
    const partFolder = join(paths.data, 'parts', 'local-embeddings')
    const embeddings = createEmbeddings({ settings: voice.settings, facts: voice.facts, folder: partFolder })
    closers.push(() => embeddings.close())
    const autonomy = createAutonomy({
      file: paths.config,
      level: config.autonomy,
      fixed: config.autonomyFixed === true,
      load: (level) => kernel.policies.load({ autonomy: level, files: readPolicyFiles(paths) }),
    })
    const deviceRoom = createDeviceRoom({
      trust,
      paths,
      hostName: hostname(),
      kernel: () => kernel,
      server: () => server,
      forgetRevoked: () => push.forgetRevoked(),
      clock,
      uuid: randomUUIDv7,
      onProblem,
    })
    const kernel: Kernel = await openKernel({
      connection: database.connection,
      operator: trust.operator,
      gateway: { id: trust.gateway.id, key: gatewayKey },
      equip(records) {
        kept = records
        const tools = createToolSource({
          registry,
          records,
          configured: config.tools,
          passkeyTools: config.passkeyTools,
        })
        const made = createAssistant({
          house: {
            operator: trust.operator,
            records,
            clock,
            uuid: randomUUIDv7,
            zone: config.timeZone,
            onProblem,
          },
          model: maskedModel(options.model ?? voice.model, redactor),
          embeddings,
          automaticMemory: config.automaticMemory,
          autonomy: autonomy.current,
          watcher: createWorkspaceWatcher(paths.workspace),
          redact: redactor.text,
          tools: () => tools.open(trust.operator),
          toolNames: async () => {
            const { own } = await records.read(trust.operator, ({ records: rows }) =>
              choicesOf(rows, { registry, configured: config.tools }),
            )
            return new Set([...registry.list(), ...own].map(({ facts }) => facts.name))
          },
          wait: patience,
        })
        assistant = made
        const house = createHouse({
          gateway: { id: trust.gateway.id, publicKey: trust.gateway.key },
          trust: deviceRoom.trust,
          clocks: { ...systemClocks, wall: () => clock().getTime() },
          catalogue: catalogueOf(registry),
          tools,
          passkeyTools: config.passkeyTools,
          records,
          mind: made.desk,
          restrict: made.restrict,
          uuid: randomUUIDv7,
          onProblem,
        })
        const { mind, middleware, chainNames } = made
        return { tools, house, mind, middleware, chainNames }
      },
      executor: executorPort(executor, () => secrets.refresh()),
      model: options.model ?? voice.model,
      middleware: seen.middleware,
      migrations: assistantMigrations,
      retention: { days: config.retention, others: [oldOccurrences] },
      zone: config.timeZone,
      policy: { autonomy: config.autonomy, files: readPolicyFiles(paths) },
      devices: await deviceRoom.devices(),
      seals: deviceRoom.seals,
      redactor,
      clock,
      uuid: randomUUIDv7,
      onProblem,
      onFatal: broken.resolve,
    })
    closers.push(() => kernel.close())
    const retention = startRetention({ kernel, operator: trust.operator, onProblem })
    closers.push(() => Promise.resolve(retention.close()))
    closers.push(async () => assistant?.close())

    if (!assistant) throw new Error('the kernel was opened without a mind')
    const mind: Assistant = assistant
    const views = createViews({ read: kernel.look, clock, redact: redactor.text })
    const recent = new Date(clock().getTime() - rememberedMs)
    voice.health.seed(await views.recentCalls(trust.operator, recent))
    const push = await openPush({
      kernel,
      operator: trust.operator,
      keyFile: join(paths.keys, 'push.json'),
      waiting: async () => (await views.counts(trust.operator)).approvals,
      sign,
      clock,
      onProblem,
    })
    closers.push(() => Promise.resolve(push.close()))
    const toolAdmin = createToolAdmin({ registry, records: kernel.records, configured: config.tools })
    const live = createLive({ stream: kernel.stream })
    closers.push(() => live.close())
    const server = await startServer({
      kernel,
      operator: trust.operator,
      views,
      port: config.port,
      version,
      clock,
      sign,
      tools: { admin: toolAdmin },
      secrets,
      rooms: [
        (app) => addApprovalRoutes(app, { kernel, views, explain: mind.explain, clock }),
        (app) => addFileRoutes(app, { kernel, workspace: paths.workspace }),
        (app) =>
          addGrantRoutes(app, {
            kernel,
            views,
            autonomy: () => kernel.policies.current().autonomy,
            passkeyTools: config.passkeyTools,
            clock,
          }),
        (app) =>
          addLedgerRoutes(
            app,
            createLedger({ read: kernel.look, clock, zone: config.timeZone, redact: redactor.text }),
          ),
        (app) =>
          addOnboardingRoutes(
            app,
            createOnboarding({
              config,
              kernel,
              views,
              assistant: mind,
              voice,
              executor,
              tools: toolAdmin,
              registry,
              autonomy,
              trust: deviceRoom.trust,
              seals: deviceRoom.seals,
              push,
              platform: process.platform,
              clock,
              onProblem,
            }),
          ),
        (app) => addPushRoutes(app, push),
        (app) => deviceRoom.addRoutes(app),
        (app) => addLiveRoutes(app, { live, views }),
        (app) => addProviderRoutes(app, voice.providers),
        (app) => addModelRoutes(app, voice.models),
        (app) =>
          addCostRoutes(app, {
            views,
            budgets: kernel.budgets,
            reconcile: createReconciler({
              providers: async () =>
                (await voice.providers.list()).map(({ name, kind, url }) => ({ name, kind, baseUrl: url })),
              booked: views.bookedDays,
              adjust: kernel.budgets.adjust,
              fetch: globalThis.fetch,
              clock,
            }),
            clock,
            zone: config.timeZone,
          }),
        (app) =>
          addPartRoutes(app, {
            parts: new Map([
              [
                'local-embeddings',
                (onProgress, signal) =>
                  installPart({ folder: partFolder, environment: config.npm, onProgress, signal }),
              ],
            ]),
            act: kernel.act,
          }),
        (app) => {
          if (seen.metrics) addMetricsRoute(app, seen.metrics)
        },
        ...mindRooms({
          assistant: mind,
          kernel,
          secretOf: async (name) => (await vault.all()).findLast((each) => each.name === name)?.value,
          clock,
        }),
      ],
      address: mind.address,
      pages: options.pages ?? null,
      onProblem,
      status: createStatus({
        config,
        kernel,
        views,
        executor,
        voice,
        pushes: push.count,
        disk: createDiskUse({ paths, kernel, clock: () => clock().getTime() }),
        startedAt,
      }),
    })
    closers.push(() => server.close())
    await mind.start(kernel)

    const watcher = await deviceRoom.follow()
    closers.push(() => Promise.resolve(watcher.close()))

    const release = writeLease(
      paths.lease,
      signLease(
        { pid: process.pid, url: server.url, startedAt: startedAt.toISOString(), version },
        trust.gateway.id,
        gatewayKey.privateKey,
      ),
    )
    closers.push(() => Promise.resolve(release()))
    log(`ready at ${server.url}, slot ${kernel.slot}${database.adopted ? ', database adopted' : ''}`)

    return {
      url: server.url,
      kernel,
      embeddings,
      broken: broken.promise,
      async close({ stopDatabase } = { stopDatabase: true }) {
        keepDatabase = !stopDatabase
        await closeAll()
        log('stopped')
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Resolves after that long, or at once when nobody waits any more. */
function patience(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}

/** What must never be said, before the vault is open. */
function keptOut({ model, environmentKeys, telemetry }: Config): [name: string, value: string][] {
  const values: [string, string | undefined][] = [
    ['model-key', model?.key],
    ...[...environmentKeys.values()].map(({ variable, value }): [string, string] => [variable, value]),
    ['metrics-token', telemetry.metricsToken ?? undefined],
    ...Object.entries(telemetry.traces?.headers ?? {}).map(([name, value]): [string, string] => [
      `otlp-${name}`,
      value,
    ]),
  ]
  return values.flatMap(([name, value]) => (value !== undefined && value.length >= 8 ? [[name, value]] : []))
}

async function openDatabase(config: Config, log: (line: string) => void) {
  if (config.databaseUrl) {
    const address = await databaseFromUrl(config.databaseUrl)
    return { connection: address.connection, adopted: false, stop: () => Promise.resolve() }
  }
  const database = await startDatabase({ dataDir: config.paths.database, runDir: config.paths.run, log })
  return { connection: database.connection, adopted: database.adopted, stop: () => database.stop() }
}

function openExecutor(
  options: GatewayOptions,
  vault: VaultPlace,
  log: (line: string) => void,
): Promise<ExecutorClient> {
  const { paths, localTargets } = options.config
  prepareOwnFolder(paths.executor)
  return startExecutor({
    mainPath: options.executorMain,
    compileCache: getCompileCacheDir(),
    bus: options.config.bus,
    options: {
      trustFile: paths.trust,
      devicesFile: paths.devices,
      keyFile: executorKeyPath(paths),
      replayFile: join(paths.executor, 'replay.sqlite'),
      workspace: paths.workspace,
      own: ownPlaces(paths),
      egress: { allowPrivate: [...localTargets], ports: [80, 443] },
      passkeyTools: [...options.config.passkeyTools],
      sandbox: options.config.sandbox,
      vault,
    },
    onExit: ({ code, complaint }) => {
      if (code !== 0) log(`the executor ended (${code}) ${complaint}`.trim())
    },
  })
}

/** With the code that is kept compiled: whoever writes there writes what runs next. */
function ownPlaces(paths: Config['paths']): string[] {
  const cache = getCompileCacheDir()
  return [...ownFolders(paths), ...(cache === undefined ? [] : [dirname(cache)])]
}

/** Both or neither: what one opened is closed when the other fails. */
async function settleAll<A extends { stop(): Promise<void> }, B extends { close(): Promise<void> }>(
  work: [Promise<A>, Promise<B>],
): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled(work)
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return [first.value, second.value]
  if (first.status === 'fulfilled') await first.value.stop()
  if (second.status === 'fulfilled') await second.value.close()
  throw first.status === 'rejected' ? first.reason : (second as PromiseRejectedResult).reason
}
