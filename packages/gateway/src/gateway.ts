/** Owns one life of the gateway: database, executor, kernel and server, opened in order and closed in reverse. */
import { randomUUIDv7 } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddingPort, MediaPort, ModelPort } from '@countersign/agent'
import {
  type Assistant,
  assistantMigrations,
  createAssistant,
  createWorkspaceWatcher,
  oldOccurrences,
} from '@countersign/assistant'
import { CountersignError, type RunId, type RunWork } from '@countersign/contract'
import {
  createRedactor,
  gatewayKeyPath,
  type KeyPair,
  prepareOwnFolder,
  type Redactor,
  readKey,
  requireOwnFolder,
  signLease,
  signText,
  type TrustFile,
  workspaceNext,
  workspaceProblem,
} from '@countersign/contract/node'
import {
  createRecordExecutor,
  type ExecutorClient,
  openVaultAt,
  systemClocks,
  type Vault,
  vaultPaths,
} from '@countersign/executor'
import {
  isPassingFailure,
  type Kernel,
  maskedModel,
  type OpenedKernel,
  openKernel,
  type RecordTransaction,
} from '@countersign/kernel'
import { createMedia } from '@countersign/models'
import {
  builtinTools,
  catalogueOf,
  createRegistry,
  type ToolDefinition,
  type ToolRegistry,
} from '@countersign/tools'
import { createLedger, createViews } from '@countersign/views'
import { type AutonomyAdmin, createAutonomy } from './autonomy.ts'
import { type ChannelKinds, createChannelKinds } from './channels/channel-kinds.ts'
import { createChannels } from './channels/channels.ts'
import { createChatServices } from './channels/chat-services.ts'
import { channelsMigration } from './channels/migration.ts'
import { oldMessages } from './channels/old-messages.ts'
import { dailyUsdOf, peerLimits } from './channels/peer-limits.ts'
import { type Config, readPolicyFiles } from './config.ts'
import { createDeviceAccess, type DeviceAccess } from './devices/device-access.ts'
import { createDiskUse } from './disk-use.ts'
import { executorPort, withNodes } from './executor-port.ts'
import { hasOtherLease, writeLease } from './lease.ts'
import { createLive } from './live/live.ts'
import { createLog, errorText, keepLines } from './log.ts'
import { maskedMedia } from './masked-media.ts'
import { createMediaWork } from './media-work.ts'
import { createEmbeddings } from './model-settings/embeddings.ts'
import { modelSettingsCollections } from './model-settings/model-choices.ts'
import { createModelSettings, type ModelSettings } from './model-settings/model-settings.ts'
import { createNodes, type Nodes } from './nodes/nodes.ts'
import { type Observation, openObservation } from './observe/observation.ts'
import { equipOnboarding } from './onboarding/index.ts'
import { orderedUuids } from './ordered-uuids.ts'
import { createPolicyAdmin } from './policy-settings/policy-admin.ts'
import { createStandingPolicy, type StandingPolicy } from './policy-settings/standing-policy.ts'
import { protectedFolders, startProcesses } from './processes.ts'
import { programsMigration } from './programs/migration.ts'
import { oldQuestions } from './programs/old-questions.ts'
import { createPrograms } from './programs/programs.ts'
import { openPush } from './push/push.ts'
import { startRetention } from './retention-job.ts'
import { gatewayRoutes, partFolder } from './routes.ts'
import { lockoutEntry, lockoutNotice } from './server/lockout.ts'
import { createSecretAdmin, type SecretAdmin } from './server/secrets.ts'
import { type Server, startServer } from './server/server.ts'
import { createStatus } from './status.ts'
import { createToolAdmin } from './tool-settings/tool-admin.ts'
import { choicesOf, createToolSource, toolCollections } from './tool-settings/tool-source.ts'
import { version } from './version.ts'
import { createWitnessing, type Witnessing } from './witnesses/witnessing.ts'
import { createUploadStore } from './workspace/upload-store.ts'
import { createWorkspaceReader } from './workspace/workspace-reader.ts'
import { createWorkspaceTexts } from './workspace/workspace-texts.ts'

/** As long as the router looks back to judge a provider. */
const rememberedMs = 15 * 60_000

export interface GatewayOptions {
  readonly config: Config
  /** The keys that this host believes. The device's own key is not among them. */
  readonly trust: TrustFile
  readonly executorMain: string
  /** The program of a channel's process; left out where none is opened. */
  readonly channelMain?: string
  /** The folder of the built web app. */
  readonly pages?: string | null
  readonly write: (line: string) => void
  /** A model other than the configured one, for tests and benches that measure everything else. */
  readonly model?: ModelPort
  /** Tools besides the built-in ones, run by the gateway. */
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

/** What everything in one life shares. */
interface Life {
  readonly options: GatewayOptions
  readonly gatewayKey: KeyPair
  readonly redactor: Redactor
  readonly clock: () => Date
  readonly startedAt: Date
  readonly onProblem: (problem: unknown) => void
  /** What was logged since the start. */
  readonly logged: () => readonly string[]
  /** Something broke that only a new start can mend. */
  readonly onFatal: (problem: unknown) => void
  /** Closed at the end, the last first. */
  readonly atEnd: (close: () => unknown) => void
}

/** What works on the open database, before the kernel is at work. */
interface Foundation {
  readonly opened: OpenedKernel
  readonly executor: ExecutorClient
  readonly vault: Vault
  readonly secrets: SecretAdmin
  readonly observation: Observation
  readonly modelSettings: ModelSettings
  readonly embeddings: EmbeddingPort & { close(): Promise<void> }
  readonly media: MediaPort
  readonly autonomy: AutonomyAdmin
  readonly standing: StandingPolicy
  readonly deviceAccess: DeviceAccess
  readonly nodes: Nodes
  readonly witnessing: Witnessing
  readonly registry: ToolRegistry
  readonly channelKinds: ChannelKinds
}

export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, trust } = options
  const { paths } = config
  const clock = options.clock ?? (() => new Date())
  const redactor = createRedactor()
  for (const [name, value] of secretsToRedact(config)) redactor.register(name, value)
  const kept = keepLines(options.write)
  const log = createLog(kept.write, redactor.text, clock)
  const onProblem = (problem: unknown) => log(errorText(problem))
  const broken = Promise.withResolvers<unknown>()
  const gatewayKey = prepareFolders(config, trust)

  let keepDatabase = false
  const closers: (() => unknown)[] = []
  const closeAll = async () => {
    for (const close of closers.toReversed()) await Promise.try(close).catch(onProblem)
  }
  const life: Life = {
    options,
    gatewayKey,
    redactor,
    clock,
    startedAt: clock(),
    onProblem,
    logged: kept.lines,
    onFatal: broken.resolve,
    atEnd: (close) => closers.push(close),
  }

  try {
    const vaultLocation = vaultPaths(paths, trust.gateway.id, config.vaultKey)
    const vault = await openVaultAt(vaultLocation, { clock, onProblem })
    const [database, executor] = await startProcesses({
      config,
      executorMain: options.executorMain,
      vault: vaultLocation,
      log,
    })
    life.atEnd(async () => {
      // Another gateway of this home may still work with it.
      if (!keepDatabase && !hasOtherLease(paths.lease, process.pid)) await database.stop()
    })
    life.atEnd(() => executor.close())
    const opened = await openKernel({
      connection: database.connection,
      operator: trust.operator,
      gateway: { id: trust.gateway.id, key: gatewayKey },
      settings: [...toolCollections, ...modelSettingsCollections],
      migrations: [...assistantMigrations, channelsMigration, programsMigration],
      zone: config.timeZone,
      dailyUsdOf,
      redactor,
      clock,
      uuid: randomUUIDv7,
      onProblem,
    })
    life.atEnd(() => opened.close())

    const foundation = await layFoundation(life, { opened, executor, vault })
    const { kernel, assistant: openedAssistant } = await startWork(life, foundation)
    const server = await openServer(life, foundation, { kernel, assistant: openedAssistant })
    log(`ready at ${server.url}, slot ${kernel.slot}${database.adopted ? ', database adopted' : ''}`)

    return {
      url: server.url,
      kernel,
      embeddings: foundation.embeddings,
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

/** Refuses to start in folders that somebody else can change. */
function prepareFolders({ paths }: Config, trust: TrustFile): KeyPair {
  const problem = workspaceProblem(paths.workspace, protectedFolders(paths))
  if (problem !== undefined) throw new CountersignError('workspace_unsafe', problem, { next: workspaceNext })
  for (const folder of [paths.data, paths.keys, paths.state, paths.lease]) prepareOwnFolder(folder)
  for (const folder of [dirname(paths.config), paths.policies]) requireOwnFolder(folder)
  mkdirSync(paths.workspace, { recursive: true, mode: 0o700 })
  const gatewayKey = readKey(gatewayKeyPath(paths))
  if (gatewayKey.publicKey !== trust.gateway.key)
    throw new CountersignError(
      'config_invalid',
      `The key ${gatewayKeyPath(paths)} does not match the trust file.`,
    )
  return gatewayKey
}

async function layFoundation(
  { options, gatewayKey, redactor, clock, onProblem, atEnd }: Life,
  parts: Pick<Foundation, 'opened' | 'executor' | 'vault'>,
): Promise<Foundation> {
  const { config, trust } = options
  const { paths } = config
  const { opened, vault } = parts
  const registry = createRegistry()
  registry.add({ source: 'built-in', tools: () => builtinTools })
  if (options.tools) registry.add({ source: 'given', tools: () => options.tools ?? [] })
  equipOnboarding(registry, config, onProblem)

  const secrets = createSecretAdmin({ vault, redactor, act: opened.act })
  // Masked before the first run goes on.
  await secrets.refresh()
  const observation = await openObservation(config.telemetry, { version, onProblem })
  atEnd(() => observation.close())
  const modelSettings = createModelSettings({
    records: opened.records,
    operator: trust.operator,
    vault,
    secrets,
    configured: config.model,
    environmentKeys: config.environmentKeys,
    meterFor: ({ operator }) => opened.meterFor(operator),
    mask: redactor.json,
    folder: paths.data,
    clock,
    observers: observation.observers,
    onProblem,
  })
  const embeddings = createEmbeddings({
    settings: modelSettings.settings,
    facts: modelSettings.facts,
    folder: partFolder(config),
  })
  atEnd(() => embeddings.close())
  const autonomy = createAutonomy({
    file: paths.config,
    level: config.autonomy,
    fixed: config.autonomyFixed === true,
  })
  const deviceAccess = createDeviceAccess({
    trust,
    paths,
    hostName: hostname(),
    publicOrigins: config.publicOrigins,
    storage: opened,
    clock,
    uuid: randomUUIDv7,
    onProblem,
  })
  const witnessing = createWitnessing({
    kernel: { gateway: trust.gateway.id, witnesses: opened.witnesses },
    believed: deviceAccess.believed,
    names: deviceAccess.names,
    elsewhere: [],
    seals: deviceAccess.seals,
    clock,
  })
  const nodes = createNodes({
    trust,
    statementFile: paths.devices,
    deviceAccess,
    storage: opened,
    sign: (text) => signText(gatewayKey.privateKey, text),
    ledger: witnessing,
    runsOnNode: (tool) => registry.find(tool)?.facts.runs === 'node',
    clock,
    uuid: randomUUIDv7,
    onProblem,
  })
  return {
    ...parts,
    nodes,
    witnessing,
    secrets,
    observation,
    modelSettings,
    embeddings,
    media: createMedia({
      settings: modelSettings.settings,
      facts: modelSettings.facts,
      speech: parts.executor.speech,
    }),
    autonomy,
    standing: createStandingPolicy({ autonomy, passkeyTools: config.passkeyTools }),
    deviceAccess,
    registry,
    channelKinds: createChannelKinds(parts.executor, options.channelMain ?? ''),
  }
}

/** Makes the assistant and the executors, and starts the kernel with them. */
async function startWork(
  life: Life,
  foundation: Foundation,
): Promise<{ readonly kernel: Kernel; readonly assistant: Assistant }> {
  const { options, redactor, clock, onProblem, onFatal, atEnd } = life
  const { config, trust } = options
  const { opened, modelSettings, secrets, deviceAccess, registry } = foundation
  const { records } = opened
  const tools = createToolSource({
    registry,
    records,
    configured: config.tools,
    passkeyTools: foundation.standing.passkeyTools,
    rates: config.rates.tools,
    nodes: foundation.nodes.offered,
    extensions: foundation.executor.extensions,
  })
  const model = options.model ?? modelSettings.model
  const openedAssistant = createAssistant({
    context: {
      operator: trust.operator,
      records,
      clock,
      uuid: randomUUIDv7,
      zone: config.timeZone,
      onProblem,
    },
    model: maskedModel(model, redactor),
    embeddings: foundation.embeddings,
    files: createWorkspaceTexts(config.paths.workspace),
    media: maskedMedia(foundation.media, redactor.text),
    automaticMemory: config.automaticMemory,
    silenceMs: config.conversations.silenceMinutes * 60_000,
    summaries: config.conversations.summaries,
    autonomy: foundation.autonomy.current,
    extensions: foundation.executor.extensions,
    chats: createChatServices(randomUUIDv7, foundation.channelKinds),
    watcher: createWorkspaceWatcher(config.paths.workspace),
    redact: redactor.text,
    tools: () => tools.open(trust.operator),
    toolNames: async () => {
      const { own } = await records.read(trust.operator, ({ records: rows }) =>
        choicesOf(rows, { registry, configured: config.tools }),
      )
      return new Set([...registry.list(), ...own].map(({ facts }) => facts.name))
    },
    wait: waitUnlessAborted,
    forgetRequests: modelSettings.forgetRequests,
  })
  const recordExecutor = createRecordExecutor({
    gateway: { id: trust.gateway.id, publicKey: trust.gateway.key },
    trust: deviceAccess.trust,
    clocks: { ...systemClocks, wall: () => clock().getTime() },
    catalogue: catalogueOf(registry),
    tools,
    passkeyTools: config.passkeyTools,
    records,
    workOf,
    language: openedAssistant.language,
    embed: openedAssistant.embed,
    isPassingFailure,
    assistant: openedAssistant.toolServices,
    restrict: openedAssistant.restrict,
    secretNames: () => namesOf(secrets),
    uuid: orderedUuids(),
    onProblem,
  })
  const { port: assistant, middleware, chainNames } = openedAssistant
  const kernel = await opened.start({
    tools,
    recordExecutor,
    executor: withNodes(
      executorPort(
        foundation.executor,
        () => secrets.refresh(),
        createMediaWork({ records, workOf, media: openedAssistant.media, onProblem }),
        opened.askForServer,
      ),
      foundation.nodes,
      (tool) => registry.find(tool)?.facts.runs === 'node',
    ),
    assistant,
    model,
    readFile: createWorkspaceReader(config.paths.workspace).whole,
    callsPerMinute: config.rates.all,
    silenceMs: config.conversations.silenceMinutes * 60_000,
    middleware: [...middleware, peerLimits(), ...foundation.observation.middleware],
    chainNames,
    retention: { days: config.retention, others: [oldOccurrences, oldMessages, oldQuestions] },
    policy: {
      autonomy: config.autonomy,
      files: readPolicyFiles(config.paths),
      passkeyTools: config.passkeyTools,
    },
    policyChanged: foundation.standing.take,
    devices: await deviceAccess.devices(),
    seals: deviceAccess.seals,
    onFatal,
  })
  atEnd(() => kernel.close())
  const retention = startRetention({ kernel, operator: trust.operator, onProblem })
  atEnd(() => retention.close())
  atEnd(() => openedAssistant.close())
  return { kernel, assistant: openedAssistant }
}

async function workOf({ db }: RecordTransaction, run: RunId): Promise<RunWork> {
  const work = await db
    .selectFrom('runs')
    .select(['goal', 'schedule', 'unattended', 'model', 'retry'])
    .where('id', '=', run)
    .executeTakeFirst()
  // Whoever is not known is not watched.
  if (!work) return { goal: null, schedule: null, unattended: true, model: null }
  const { goal, schedule, unattended, model, retry } = work
  return { goal, schedule, unattended, model: retry?.use ?? model }
}

/** Opens the door to the outside, last of all. */
async function openServer(
  life: Life,
  foundation: Foundation,
  { kernel, assistant: openedAssistant }: { readonly kernel: Kernel; readonly assistant: Assistant },
): Promise<Server> {
  const { options, redactor, gatewayKey, clock, startedAt, onProblem, atEnd } = life
  const { config, trust } = options
  const { paths } = config
  const { executor, secrets, modelSettings, deviceAccess, registry } = foundation
  const sign = (text: string) => signText(gatewayKey.privateKey, text)
  const views = createViews({ read: kernel.readOnly, clock, redact: redactor.text })
  const recent = new Date(clock().getTime() - rememberedMs)
  modelSettings.health.seed(await views.recentCalls(trust.operator, recent))
  const push = await openPush({
    kernel,
    operator: trust.operator,
    keyFile: join(paths.keys, 'push.json'),
    waiting: async () => (await views.counts(trust.operator)).approvals,
    sign,
    clock,
    onProblem,
  })
  atEnd(() => push.close())
  const policyAdmin = createPolicyAdmin({
    kernel,
    config,
    standing: foundation.standing,
    autonomyFixed: foundation.autonomy.fixed,
    seals: deviceAccess.seals,
    trust: deviceAccess.trust,
    registry,
    clock,
    onProblem,
  })
  await policyAdmin.catchUp()
  const toolAdmin = createToolAdmin({
    registry,
    records: kernel.records,
    configured: config.tools,
    rates: config.rates.tools,
  })
  const ledger = createLedger({
    read: kernel.readOnly,
    clock,
    zone: config.timeZone,
    redact: redactor.text,
  })
  // From elsewhere, where it can be reached from there.
  let [appUrl = ''] = config.publicOrigins
  const channels = createChannels({
    kernel,
    operator: trust.operator,
    secrets,
    secretValue: async (name) => (await foundation.vault.all()).findLast((each) => each.name === name)?.value,
    uploads: createUploadStore({ beside: paths.executor, clock }),
    kinds: foundation.channelKinds,
    uuid: randomUUIDv7,
    clock,
    zone: config.timeZone,
    fileOf: createWorkspaceReader(config.paths.workspace).whole,
    appUrl: () => appUrl,
    onProblem,
  })
  await channels.prepare()
  const programs = createPrograms({
    kernel,
    operator: trust.operator,
    zone: config.timeZone,
    uuid: randomUUIDv7,
    requireAgent: openedAssistant.services.agents.get,
    onProblem,
  })
  await programs.start()
  atEnd(() => programs.close())
  const live = createLive({ stream: kernel.stream })
  atEnd(() => live.close())
  const server = await startServer({
    kernel,
    operator: trust.operator,
    views,
    ledger,
    port: config.port,
    anyNextPort: config.portNamed === false,
    reachedAt: config,
    onLockout(locked) {
      foundation.opened.act(trust.operator, lockoutEntry(locked), lockoutNotice(locked)).catch(onProblem)
    },
    version,
    clock,
    sign,
    tools: { admin: toolAdmin, secretNames: () => namesOf(secrets) },
    secrets,
    nodes: foundation.nodes.gate,
    routes: gatewayRoutes({
      ...foundation,
      config,
      kernel,
      views,
      ledger,
      assistant: openedAssistant,
      toolAdmin,
      policyAdmin,
      push,
      live,
      channels,
      programs,
      clock,
      logged: life.logged,
      onProblem,
    }),
    address: openedAssistant.address,
    pages: options.pages ?? null,
    onProblem,
    status: createStatus({
      config,
      kernel,
      views,
      executor,
      modelSettings,
      pushes: push.count,
      disk: createDiskUse({ paths, kernel, clock: () => clock().getTime() }),
      startedAt,
    }),
  })
  atEnd(() => server.close())
  atEnd(() => foundation.nodes.close())
  appUrl ||= `http://localhost:${server.port}`
  await openedAssistant.start(kernel)
  atEnd(() => channels.close())
  await channels.start()

  const watcher = await deviceAccess.follow({ server, forgetRevoked: push.forgetRevoked })
  atEnd(() => watcher.close())

  const release = writeLease(
    paths.lease,
    signLease(
      { pid: process.pid, url: server.url, startedAt: startedAt.toISOString(), version },
      trust.gateway.id,
      gatewayKey.privateKey,
    ),
  )
  atEnd(release)
  return server
}

/** Resolves after that long, or at once when nobody waits any more. */
function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}

/** What must never be said, before the vault is open. */
function secretsToRedact({ model, environmentKeys, telemetry }: Config): [name: string, value: string][] {
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

async function namesOf(secrets: Pick<SecretAdmin, 'list'>): Promise<string[]> {
  return (await secrets.list()).map(({ name }) => name)
}
