/** Puts an executor together from its files and its options. Opened by the executor process, and by tests in-process. */
import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type AskOperator,
  CodingAgents,
  CountersignError,
  type ExecuteReply,
  type ExecutorId,
  type MediaReply,
  type ResolveReply,
  type SpeechTask,
  type WorkOnMedia,
} from '@countersign/contract'
import { fingerprint, readKey, workspaceNext, workspaceProblem } from '@countersign/contract/node'
import { builtinTools, type Catalogue, createCatalogue } from '@countersign/tools'
import { z } from 'zod'
import { createBrowserPool } from './browser/browser-pool.ts'
import { type CapabilityParts, capabilitiesFor } from './capabilities/capabilities.ts'
import { type Clocks, createPermitClock, systemClocks } from './clock.ts'
import { createAgentPrograms } from './coding-agents/agent-programs.ts'
import { agentLimits } from './coding-agents/limits.ts'
import { createTaskResults } from './coding-agents/task-results.ts'
import { createDocumentPrograms } from './documents/document-programs.ts'
import { type DnsRecords, systemRecords } from './egress/dns-records.ts'
import { createEgress, defaultEgressLimits } from './egress/egress.ts'
import { executePermit } from './execute.ts'
import { type Extensions, openExtensions } from './extensions/extensions.ts'
import { forgottenSignIns } from './extensions/forgotten-sign-ins.ts'
import { createPluginChannels, type PluginChannels } from './extensions/plugin-channels.ts'
import type { ServerWaits } from './extensions/server-connection.ts'
import { longestAnswerMs, serverLimits } from './extensions/server-limits.ts'
import { createServers } from './extensions/servers.ts'
import { createFileTrace } from './file-trace.ts'
import { createHostFiles } from './host-files.ts'
import { createInspector, type Workspace } from './inspector.ts'
import { createSenderChecks } from './mail/check-sender.ts'
import { createOutbox } from './mail/outbox.ts'
import { createAccessTokens } from './oauth/access-tokens.ts'
import { createOAuthServer } from './oauth/oauth-server.ts'
import { createPrograms } from './programs.ts'
import { openReplayStore, type ReplayStore } from './replay-store.ts'
import { resolveCall } from './resolve.ts'
import { probeBubblewrap } from './sandbox/bubblewrap.ts'
import { createFileAgent } from './sandbox/files.ts'
import { probePodman } from './sandbox/podman.ts'
import type { SandboxProbe } from './sandbox/port.ts'
import { createScriptThreads } from './script/thread-pool.ts'
import { openHeldChanges } from './sealed/held-changes.ts'
import { openKeptChanges } from './sealed/kept-changes.ts'
import { createProgramCopies } from './sealed/program-copies.ts'
import { openSealingFolder } from './sealed/sealing-folder.ts'
import { tryLayers } from './sealed/trial.ts'
import { createSpeechPrograms } from './speech/speech-programs.ts'
import { openStatementMemory } from './statement-memory.ts'
import { createToolRuns } from './tool-runs.ts'
import { type TrustSource, watchTrust } from './trust.ts'
import { createUploads } from './uploads.ts'
import { IdentityStorage } from './vault/index.ts'
import { createSecretsAccess } from './vault/secrets-access.ts'
import type { PermitChecks, PermitWorld } from './verify.ts'

export const ExecutorOptions = z.strictObject({
  trustFile: z.string(),
  /** The signed statements about devices; beside the trust file unless it says otherwise. */
  devicesFile: z.string().optional(),
  keyFile: z.string(),
  replayFile: z.string(),
  workspace: z.string(),
  /** The product's own folders. A workspace among them is refused, and no call reads there. */
  own: z.array(z.string()),
  egress: z.strictObject({
    allowPrivate: z.array(z.strictObject({ host: z.string(), port: z.int() })),
    ports: z.array(z.int()),
  }),
  /** Where the secrets are; without it a call that asks for one is refused. */
  vault: z
    .strictObject({
      file: z.string(),
      key: z.string(),
      record: z.string(),
      account: z.string(),
      wanted: IdentityStorage.optional(),
    })
    .optional(),
  /** Where the part for speech on this machine is installed; without it nothing speaks or listens. */
  speechFolder: z.string().optional(),
  /** Every call of these needs a passkey. */
  passkeyTools: z.array(z.string()).optional(),
  /** The coding agents that the operator added. */
  codingAgents: CodingAgents.optional(),
  /** Bubblewrap unless it says otherwise. One never stands in for the other. */
  sandbox: z.enum(['bubblewrap', 'podman']).optional(),
})
export type ExecutorOptions = z.infer<typeof ExecutorOptions>

export interface ExecutorSeams {
  readonly catalogue?: Catalogue
  readonly clocks?: Clocks
  readonly checks?: PermitChecks
  readonly replay?: ReplayStore
  /** Instead of the resolver of this computer. */
  readonly records?: DnsRecords
  /** How long servers are waited for. */
  readonly serverWaits?: ServerWaits
}

export interface Executor {
  readonly id: ExecutorId
  /** The fingerprint of its key. */
  readonly key: string
  readonly sandbox: SandboxProbe
  readonly extensions: Pick<Extensions, 'current' | 'onChange'>
  /** For a verification without an effect. */
  readonly world: PermitWorld
  readonly resolve: (tool: string, args: string) => Promise<ResolveReply>
  readonly execute: (
    permit: unknown,
    signal: AbortSignal,
    work?: WorkOnMedia,
    ask?: AskOperator,
  ) => Promise<ExecuteReply>
  /** Speaks or listens, by the programs of this machine in the sandbox. Never rejects. */
  readonly speech: (task: SpeechTask, signal: AbortSignal) => Promise<MediaReply>
  /** Carries what the channel of a plugin and the gateway say to each other. Never rejects. */
  readonly channel: PluginChannels['run']
  /** An epoch never goes back. */
  readonly setWorld: (world: { policy: string; epoch: number }) => void
  close(): Promise<void>
}

export async function openExecutor(options: ExecutorOptions, seams: ExecutorSeams = {}): Promise<Executor> {
  const { clocks = systemClocks, catalogue = createCatalogue(builtinTools) } = seams
  const trust = watchTrust({
    trust: options.trustFile,
    devices: options.devicesFile ?? join(dirname(options.trustFile), 'devices.jsonl'),
    memory: openStatementMemory(join(dirname(options.replayFile), 'statements.json')),
  })
  const identity = await identityOf(options, trust)
  const vaultFolders = options.vault ? [options.vault.file, options.vault.key] : []
  const ownFiles = [options.trustFile, options.keyFile, options.replayFile, ...vaultFolders]
  const closed = [...new Set([...ownFiles.map((path) => dirname(path)), ...options.own])].flatMap((folder) =>
    existsSync(folder) ? [folder, realpathSync(folder)] : [folder],
  )
  const problem = workspaceProblem(options.workspace, options.own)
  if (problem !== undefined) throw new CountersignError('workspace_unsafe', problem, { next: workspaceNext })
  const root = realpathSync(options.workspace)
  const place = { workspace: root, hidden: closed }
  const sealing = await openSealingFolder(join(dirname(options.replayFile), 'sealed'))
  const probe = await tryLayers(
    options.sandbox === 'podman'
      ? await probePodman({ ...place, folder: join(dirname(options.replayFile), 'podman') })
      : await probeBubblewrap(place),
    sealing.path,
  )
  const sandbox = probe.kind === 'available' ? probe.sandbox : undefined
  const workspace: Workspace =
    probe.kind === 'available'
      ? { kind: 'available', files: createFileAgent({ sandbox: probe.sandbox }) }
      : probe
  const now = () => new Date(clocks.wall())
  const kept = sandbox?.layered
    ? await openKeptChanges({ folder: join(dirname(options.replayFile), 'kept'), sandbox, now })
    : undefined
  const secretsAccess = createSecretsAccess(options.vault)
  const held =
    sandbox && kept
      ? await openHeldChanges({
          folder: join(dirname(options.replayFile), 'held'),
          sandbox,
          kept,
          now,
          mask: secretsAccess.mask,
        })
      : undefined
  const extensions = await openExtensions(join(dirname(options.replayFile), 'extensions'))
  forgetSignIns(extensions, secretsAccess.forget)
  const host = createHostFiles({ closed })
  const programs = createPrograms(process.execPath)
  const agents = createAgentPrograms(options.codingAgents ?? {}, programs)
  // Chromium runs as a user of its own when we are root, so its profile cannot lie in a folder that only we may enter.
  const browser = createBrowserPool({ folder: tmpdir(), policy: options.egress })
  const egress = createEgress({ allow: options.egress, limits: defaultEgressLimits })
  const threads = createScriptThreads({ now: () => new Date(clocks.wall()) })
  const tokens = createAccessTokens(createOAuthServer(egress), now)
  const places = { root, closed, policy: options.egress, extensions, sandbox }
  const channels = createPluginChannels(places)
  const servers = createServers({
    ...places,
    egress: createEgress({ allow: options.egress, limits: serverEgressLimits }),
    tokens,
    now,
    ...(seams.serverWaits ? { waits: seams.serverWaits } : {}),
  })
  const parts: CapabilityParts = {
    root,
    workspace,
    sandbox,
    programs,
    places: options.egress,
    kept,
    held,
    host,
    uploads: createUploads(join(dirname(options.replayFile), 'uploads')),
    egress,
    extensions,
    servers,
    closed,
    now,
    agents,
    results: createTaskResults(join(dirname(options.replayFile), 'coding-tasks'), now),
    modelEgress: createEgress({ allow: options.egress, limits: modelLimits }),
    mask: secretsAccess.mask,
    browser,
    threads,
    documents: sandbox && createDocumentPrograms(sandbox),
    outbox: createOutbox(join(dirname(options.replayFile), 'outbox'), now),
    tokens,
    senders: createSenderChecks(seams.records ?? systemRecords()),
    sealing: {
      folder: join(sealing.path, 'calls'),
      workspace: root,
      nodePath: realpathSync(process.execPath),
      copies: createProgramCopies(join(sealing.path, 'programs')),
    },
  }
  const inspect = createInspector({
    root,
    workspace,
    host,
    programs,
    egress: options.egress,
    kept,
    held,
    agents,
    extensions,
  })
  const resolve = (tool: string, args: string) =>
    resolveCall(tool, args, {
      catalogue,
      inspect,
      sandboxName: sandbox?.name ?? 'none',
      egress: options.egress,
      secrets: secretsAccess.refusal,
    })
  const replay = seams.replay ?? openReplayStore({ path: options.replayFile, now })
  let current: { policy: string; epoch: number } | undefined
  const world: PermitWorld = {
    runs: 'executor',
    executor: { id: identity.id, fingerprint: identity.key },
    trust,
    catalogue,
    clock: createPermitClock(clocks),
    passkeyTools: options.passkeyTools ?? [],
    current: () => current,
    resolve,
  }
  const execution = {
    world,
    replay,
    now,
    mask: secretsAccess.mask,
    tools: createToolRuns({
      trace: createFileTrace(root),
      capabilitiesFor: async ({ subject }, work, ask) =>
        capabilitiesFor(subject, {
          ...parts,
          secrets: await secretsAccess.openFor(subject),
          grants: secretsAccess.grantsFor(subject),
          secretNames: secretsAccess.names,
          work,
          ask,
        }),
    }),
    ...(seams.checks ? { checks: seams.checks } : {}),
  }
  return {
    ...identity,
    sandbox: probe,
    extensions,
    world,
    resolve,
    execute: (permit, signal, work, ask) => executePermit(permit, execution, signal, work, ask),
    channel: channels.run,
    speech: createSpeechPrograms({ sandbox, folder: options.speechFolder }),
    setWorld({ policy, epoch }) {
      if (!current || epoch >= current.epoch) current = { policy, epoch }
    },
    async close() {
      await Promise.all([browser.close(), threads.close(), servers.close(), channels.close()])
      if (workspace.kind === 'available') await workspace.files.close()
      await sealing.remove()
      replay.close()
    },
  }
}

/** A model thinks before it says a word, and says nothing for a while between two. */
const modelLimits = {
  ...defaultEgressLimits,
  maxBytes: agentLimits.maxAnswerBytes,
  timeoutMs: agentLimits.answerMs,
  slowAfterMs: agentLimits.answerMs,
}

/** A server may work for a while before it answers. */
const serverEgressLimits = {
  ...defaultEgressLimits,
  timeoutMs: longestAnswerMs,
  slowAfterMs: serverLimits.silentMs,
}

function forgetSignIns(
  extensions: Pick<Extensions, 'current' | 'onChange'>,
  forget: (names: readonly string[]) => Promise<void>,
): void {
  let before = extensions.current().servers
  extensions.onChange(async ({ servers }) => {
    const names = forgottenSignIns(before, servers)
    before = servers
    await forget(names)
  })
}

async function identityOf(
  options: ExecutorOptions,
  trust: TrustSource,
): Promise<{ id: ExecutorId; key: string }> {
  const { publicKey } = readKey(options.keyFile)
  const trusted = await trust.current()
  if ('problem' in trusted) throw new CountersignError('config_invalid', trusted.problem)
  if (trusted.executor.key !== publicKey) {
    throw new CountersignError(
      'config_invalid',
      `The key ${options.keyFile} is not the executor's in the trust file.`,
    )
  }
  return { id: trusted.executor.id, key: fingerprint(publicKey) }
}
