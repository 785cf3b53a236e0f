/**
 * Puts the executor of a node together: the executor's own verification and its memory of permits, over the tools of
 * nodes, with the sandbox and the programs of this computer. It believes what the operator signed and not the gateway.
 */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type ApprovalSubject,
  type ExecuteReply,
  type NodeCapabilityState,
  type NodeResource,
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
  type FileAgent,
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
import { type Catalogue, createCatalogue, deviceTools, type NodeCapabilities } from '@countersign/tools'
import { confinedPrograms } from './confined-programs.ts'
import { capabilityStates, sessionOf } from './desktop/capability-states.ts'
import { desktopOf } from './desktop/desktop.ts'
import { createSystemPrograms, type SystemPrograms } from './desktop/system-programs.ts'
import type { LedgerWatch } from './ledger-watch.ts'
import { type NodePaths, type Pairing, requireApart } from './node-home.ts'
import { createNodeInspector, resolveOnNode } from './node-inspector.ts'
import { readNodePolicy } from './node-policy.ts'
import type { NodeTrust } from './node-trust.ts'
import { checkOfOwner, narrowedBy } from './owner.ts'
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
  // Links may have come since it was paired.
  requireApart(paths, pairing.shared)
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
  const owner = { paths, trust, ledger, policy: () => readNodePolicy(paths.policy) }
  const states = () => capabilityStates({ platform, session, programs: systemPrograms, sandbox: probe })
  const inspector = createNodeInspector({ ...owner, states, folder })
  const resolve = (tool: string, args: string) =>
    resolveOnNode(tool, args, { catalogue, inspector, sandbox, policy: owner.policy })
  const checks: PermitChecks & { readonly owner: PermitCheck } = {
    ...permitChecks,
    owner: checkOfOwner(owner),
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
        putPicture: (path, bytes) => putPicture(path, bytes, { root, files }),
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
    capabilities: async () => narrowedBy(owner, await states()),
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

async function putPicture(
  path: string,
  bytes: Uint8Array,
  { root, files }: { readonly root: string; readonly files: FileAgent | undefined },
): Promise<string | null> {
  if (files) {
    const written = await files.write(path, bytes, 'absent', new AbortController().signal)
    return written.kind === 'ok' ? null : refusalText(path, written)
  }
  // No program of a call runs where there is no sandbox, so nobody can have put a link there for us.
  const at = join(root, path)
  mkdirSync(dirname(at), { recursive: true })
  writeFileSync(at, bytes, { flag: 'wx' })
  return null
}

function fitting(result: ToolResult): ToolResult {
  if (JSON.stringify(result).length <= largestResult) return result
  return { ok: result.ok, text: tooLarge, summary: tooLarge, undo: result.undo }
}

const tooLarge = 'It was done, but what it answered is too large to be sent.'
