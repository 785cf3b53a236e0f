/**
 * Puts the executor of a node together: the executor's own verification and its memory of permits, over the tools of
 * nodes, with the sandbox and the programs of this computer. It believes what the operator signed and not the gateway.
 */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type ApprovalSubject,
  canonicalText,
  type ExecuteReply,
  type NodeCapability,
  type NodeCapabilityState,
  type NodeResource,
  parseStrict,
  type ResolveReply,
  type ToolResult,
} from '@countersign/contract'
import { fingerprint, type KeyPair, requireOwnFolder } from '@countersign/contract/node'
import {
  type Clocks,
  createFileAgent,
  createHostFiles,
  createInspector,
  createPermitClock,
  createPrograms,
  executePermit,
  openReplayStore,
  type PermitCheck,
  type PermitChecks,
  type PermittedCall,
  type PermitWorld,
  permitChecks,
  probeBubblewrap,
  refusalText,
  type SandboxProbe,
  systemClocks,
  type Workspace,
} from '@countersign/executor/node'
import {
  type Catalogue,
  createCatalogue,
  deviceTools,
  type NodeCapabilities,
  type NodeInspector,
  parseArgs,
} from '@countersign/tools'
import { confinedPrograms, confinementOf } from './confined-programs.ts'
import { capabilityStates, sessionOf } from './desktop/capability-states.ts'
import { desktopOf } from './desktop/desktop.ts'
import { createSystemPrograms, type SystemPrograms } from './desktop/system-programs.ts'
import type { LedgerWatch } from './ledger-watch.ts'
import { isPaused, type NodePaths, type Pairing } from './node-home.ts'
import {
  capabilityRefusal,
  objectRefusal,
  programsMayWrite,
  readNodePolicy,
  tierRefusal,
} from './node-policy.ts'
import type { NodeTrust } from './node-trust.ts'
import { noSharedFolder, sharedFolder } from './shared-folder.ts'
import { openTrash } from './trash.ts'

export interface NodeExecutorParts {
  readonly paths: NodePaths
  readonly pairing: Pairing
  readonly keys: KeyPair
  readonly trust: NodeTrust
  readonly ledger: Pick<LedgerWatch, 'complaint'>
  readonly platform: NodeJS.Platform
  /** The session of the owner's desktop. */
  readonly environment: Readonly<Record<string, string>>
  /** 32 hexadecimal digits, never the same twice. */
  readonly id: () => string
  readonly clocks?: Clocks
  readonly programs?: SystemPrograms
  readonly catalogue?: Catalogue
}

export interface NodeExecutor {
  readonly sandbox: SandboxProbe
  readonly capabilities: () => Promise<NodeCapabilityState[]>
  readonly resolve: (tool: string, args: string) => Promise<ResolveReply>
  readonly execute: (permit: unknown, signal: AbortSignal) => Promise<ExecuteReply>
  /** An epoch never goes back. */
  readonly setWorld: (world: { readonly policy: string; readonly epoch: number }) => void
  close(): Promise<void>
}

/** An answer has to fit into a frame, as JSON. */
const largestResult = 2 * 1024 * 1024

export async function openNodeExecutor(parts: NodeExecutorParts): Promise<NodeExecutor> {
  const { paths, pairing, keys, trust, ledger, platform, environment, clocks = systemClocks } = parts
  const { catalogue = createCatalogue(deviceTools) } = parts
  requireOwnFolder(paths.folder)
  const root = realpathSync(pairing.shared)
  const probe = await probeBubblewrap({ workspace: root, hidden: [paths.folder] })
  const sandbox = probe.kind === 'available' ? probe.sandbox : undefined
  const workspace: Workspace =
    probe.kind === 'available'
      ? { kind: 'available', files: createFileAgent({ sandbox: probe.sandbox }) }
      : probe
  const files = workspace.kind === 'available' ? workspace.files : undefined
  const now = () => new Date(clocks.wall())
  const programs = createPrograms(process.execPath)
  const systemPrograms = parts.programs ?? createSystemPrograms({ platform, environment })
  const session = sessionOf(environment)
  const trash = openTrash(paths.trash, { now, id: parts.id })
  const folder = createInspector({
    root,
    workspace,
    host: createHostFiles({ closed: [paths.folder] }),
    programs,
    egress: { allowPrivate: [], ports: [] },
  })
  const owner = () => readNodePolicy(paths.policy)
  const states = () => capabilityStates({ platform, session, programs: systemPrograms, sandbox: probe })

  /** For an early answer; a permit is refused by the check below. */
  function refusalHere() {
    if (isPaused(paths))
      return { reason: 'Its owner paused it.', fix: 'Run `countersign node resume` there.' }
    const complaint = ledger.complaint()
    if (complaint === null) return undefined
    return {
      reason: `It complains about the ledger: ${complaint.reason}.`,
      fix: 'See `countersign ledger witnesses`.',
    }
  }

  const inspector: NodeInspector = {
    async identity() {
      const found = await trust.identity()
      if (!('problem' in found)) return found
      return { reason: `It cannot say who it is: ${found.problem}.`, fix: 'Pair that computer again.' }
    },
    async refusal(capability: NodeCapability) {
      const refusal = refusalHere() ?? capabilityRefusal(owner(), capability)
      if (refusal) return refusal
      const state = (await states()).find((each) => each.capability === capability)
      return state?.state === 'ready' ? undefined : { reason: state?.reason ?? '', fix: state?.fix ?? '' }
    },
    refusalOf: async (wish) => objectRefusal(owner(), wish),
    folder,
  }

  async function resolve(name: string, args: string): Promise<ResolveReply> {
    const tool = catalogue.definition(name)
    if (tool?.runs !== 'node') return { kind: 'invalid', reason: `There is no tool ${name} on a node.` }
    const strict = parseStrict(args)
    if (strict.kind === 'refused') return { kind: 'invalid', reason: `Not strict JSON: ${strict.reason}.` }
    const parsed = parseArgs(tool, strict.value)
    if (parsed.kind === 'invalid') return { kind: 'invalid', reason: parsed.problems.join('; ') }
    try {
      const found = await tool.effects(parsed.args, inspector)
      if (found.kind !== 'found') return found
      const { resources, effects } = found
      const confinement = confinementOf(tool, { sandbox, mayWrite: programsMayWrite(owner()) })
      const resolution = { resources: [...resources], effects: [...effects], ...confinement, secrets: [] }
      return { kind: 'resolved', resolution }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { kind: 'unavailable', reason, fix: 'Run `countersign node status` there.' }
    }
  }

  /** After all that the executor checks: what the owner here takes away. */
  const checkOwner: PermitCheck = async ({ permit: { subject } }) => {
    if (isPaused(paths)) return 'its owner paused it'
    const identity = await trust.identity()
    if ('problem' in identity) return identity.problem
    const { node, executor, key, name } = identity
    const isOwn = (resource: NodeResource) =>
      canonicalText([resource.node, resource.executor, resource.key, resource.name]) ===
      canonicalText([node, executor, key, name])
    const [first, ...more] = subject.resources
    if (first?.type !== 'node' || more.length > 0 || !isOwn(first))
      return 'it touches what is not of this node'
    const complaint = ledger.complaint()
    if (complaint !== null && subject.tier > 0)
      return `the node complains about the ledger: ${complaint.reason}`
    return tierRefusal(owner(), subject.tier)
  }
  const checks: PermitChecks & { readonly owner: PermitCheck } = { ...permitChecks, owner: checkOwner }

  async function putPicture(path: string, bytes: Uint8Array): Promise<string | null> {
    const { signal } = new AbortController()
    if (files) {
      const written = await files.write(path, bytes, 'absent', signal)
      return written.kind === 'ok' ? null : refusalText(path, written)
    }
    // No program of a call runs where there is no sandbox, so nobody can have put a link there for us.
    const at = join(root, path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, bytes, { flag: 'wx' })
    return null
  }

  function capabilitiesFor(subject: ApprovalSubject, resource: NodeResource): NodeCapabilities {
    return {
      files: files ? sharedFolder(resource, { files, trash }) : noSharedFolder('There is no sandbox here.'),
      programs: confinedPrograms(subject, resource, { sandbox, programs }),
      desktop: desktopOf(resource, {
        platform,
        session,
        programs: systemPrograms,
        captures: paths.captures,
        putPicture,
        now,
        id: parts.id,
      }),
    }
  }

  const replay = openReplayStore({ path: paths.replay, now })
  let current: { policy: string; epoch: number } | undefined
  const world: PermitWorld = {
    runs: 'node',
    executor: { id: pairing.executor, fingerprint: fingerprint(keys.publicKey) },
    trust,
    catalogue,
    clock: createPermitClock(clocks),
    passkeyTools: [],
    current: () => current,
    resolve,
  }
  const execution = {
    world,
    replay,
    now,
    checks,
    // No secret of the operator's is ever here.
    mask: fitting,
    tools: {
      async run({ subject, tool, args }: PermittedCall, signal: AbortSignal) {
        const [resource] = subject.resources
        if (tool.runs !== 'node' || resource?.type !== 'node')
          throw new TypeError(`${tool.name} is not for a node`)
        return tool.run(args, capabilitiesFor(subject, resource), signal)
      },
    },
  }
  return {
    sandbox: probe,
    async capabilities() {
      const policy = owner()
      const paused = isPaused(paths)
      return (await states()).map((state) => {
        const refusal = capabilityRefusal(policy, state.capability)
        if (!refusal && !paused) return state
        const { reason, fix } = refusal ?? { reason: 'Its owner paused it.', fix: 'countersign node resume' }
        return { ...state, state: 'off', reason: reason.slice(0, 300), fix: fix.slice(0, 300) } as const
      })
    },
    resolve,
    execute: (permit, signal) => executePermit(permit, execution, signal),
    setWorld({ policy, epoch }) {
      if (!current || epoch >= current.epoch) current = { policy, epoch }
    },
    async close() {
      await files?.close()
      replay.close()
    },
  }
}

function fitting(result: ToolResult): ToolResult {
  if (JSON.stringify(result).length <= largestResult) return result
  return { ok: result.ok, text: tooLarge, summary: tooLarge, undo: result.undo }
}

const tooLarge = 'It was done, but what it answered is too large to be sent.'
