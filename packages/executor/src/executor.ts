/** Puts an executor together from its files and its options. Opened by the executor process, and by tests in-process. */
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  CountersignError,
  type ExecuteReply,
  type ExecutorId,
  type ResolveReply,
} from '@countersign/contract'
import { fingerprint, readKey } from '@countersign/contract/node'
import { builtinTools, type Catalogue, createCatalogue } from '@countersign/tools'
import { z } from 'zod'
import { type Clocks, createPermitClock, systemClocks } from './clock.ts'
import { createEgress, defaultEgressLimits } from './egress/egress.ts'
import { executePermit } from './execute.ts'
import { type HandParts, handsFor } from './hands/hands.ts'
import { createHostFiles } from './host-files.ts'
import { createLook, type Workspace } from './look.ts'
import { createPrograms } from './programs.ts'
import { openReplayStore, type ReplayStore } from './replay-store.ts'
import { resolveCall } from './resolve.ts'
import { probeBubblewrap } from './sandbox/bubblewrap.ts'
import { createFileAgent } from './sandbox/files.ts'
import type { SandboxProbe } from './sandbox/port.ts'
import { watchTrust } from './trust.ts'
import type { PermitChecks, PermittedCall, PermitWorld } from './verify.ts'

export const ExecutorOptions = z.strictObject({
  trustFile: z.string(),
  keyFile: z.string(),
  replayFile: z.string(),
  workspace: z.string(),
  egress: z.strictObject({
    allowPrivate: z.array(z.strictObject({ host: z.string(), port: z.int() })),
    ports: z.array(z.int()),
  }),
})
export type ExecutorOptions = z.infer<typeof ExecutorOptions>

export interface ExecutorSeams {
  readonly catalogue?: Catalogue
  readonly clocks?: Clocks
  readonly checks?: PermitChecks
  readonly replay?: ReplayStore
}

export interface Executor {
  readonly id: ExecutorId
  /** The fingerprint of its key. */
  readonly key: string
  readonly sandbox: SandboxProbe
  /** For a verification without an effect. */
  readonly world: PermitWorld
  readonly resolve: (tool: string, args: string) => Promise<ResolveReply>
  readonly execute: (permit: unknown, signal: AbortSignal) => Promise<ExecuteReply>
  /** An epoch never goes back. */
  readonly setWorld: (world: { policy: string; epoch: number }) => void
  close(): Promise<void>
}

export async function openExecutor(options: ExecutorOptions, seams: ExecutorSeams = {}): Promise<Executor> {
  const { clocks = systemClocks, catalogue = createCatalogue(builtinTools) } = seams
  const trust = watchTrust(options.trustFile)
  const identity = identityOf(options, trust)
  const closed = [options.trustFile, options.keyFile, options.replayFile].map((path) =>
    realpathSync(dirname(path)),
  )
  const root = realpathSync(options.workspace)
  const probe = await probeBubblewrap({ workspace: root, hidden: closed })
  const sandbox = probe.kind === 'available' ? probe.sandbox : undefined
  const workspace: Workspace =
    probe.kind === 'available'
      ? { kind: 'available', files: createFileAgent({ sandbox: probe.sandbox }) }
      : probe
  const host = createHostFiles({ closed })
  const parts: HandParts = {
    root,
    workspace,
    sandbox,
    host,
    egress: createEgress({ allow: options.egress, limits: defaultEgressLimits }),
  }
  const look = createLook({
    root,
    workspace,
    host,
    programs: createPrograms(process.execPath),
    egress: options.egress,
  })
  const resolve = (tool: string, args: string) =>
    resolveCall(tool, args, { catalogue, look, sandboxName: sandbox?.name ?? 'none', egress: options.egress })
  const now = () => new Date(clocks.wall())
  const replay = seams.replay ?? openReplayStore({ path: options.replayFile, now })
  let current: { policy: string; epoch: number } | undefined
  const world: PermitWorld = {
    executor: { id: identity.id, fingerprint: identity.key },
    trust,
    catalogue,
    clock: createPermitClock(clocks),
    current: () => current,
    resolve,
  }
  const execution = {
    world,
    replay,
    now,
    handsFor: (call: PermittedCall) => handsFor(call.subject, parts),
    ...(seams.checks ? { checks: seams.checks } : {}),
  }
  return {
    ...identity,
    sandbox: probe,
    world,
    resolve,
    execute: (permit, signal) => executePermit(permit, execution, signal),
    setWorld({ policy, epoch }) {
      if (!current || epoch >= current.epoch) current = { policy, epoch }
    },
    async close() {
      if (workspace.kind === 'available') await workspace.files.close()
      replay.close()
    },
  }
}

function identityOf(
  options: ExecutorOptions,
  trust: ReturnType<typeof watchTrust>,
): { id: ExecutorId; key: string } {
  const { publicKey } = readKey(options.keyFile)
  const trusted = trust.current()
  if ('problem' in trusted) throw new CountersignError('config_invalid', trusted.problem)
  if (trusted.executor.key !== publicKey) {
    throw new CountersignError(
      'config_invalid',
      `The key ${options.keyFile} is not the executor's in the trust file.`,
    )
  }
  return { id: trusted.executor.id, key: fingerprint(publicKey) }
}
