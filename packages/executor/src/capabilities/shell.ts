/**
 * The capabilitieson programs: the one command that the permit names, under the profile that the permit binds, with the
 * bytes of every program and file that it binds. Refuses other words, another directory, another program behind the
 * same word, other bytes, and every place that the permit does not name.
 */
import { basename, isAbsolute } from 'node:path'
import type { ApprovalSubject, ExecResource } from '@countersign/contract'
import {
  type CommandResult,
  entryHash,
  skillFolder,
  skillNamed,
  type ToolCapabilities,
} from '@countersign/tools'
import { programProfile, sandboxEnvironment, sandboxLimits } from '../confinement.ts'
import { defaultProxyLimits, type EgressProxy, openEgressProxy } from '../egress/proxy.ts'
import type { AddressPolicy } from '../egress/resolve-checked.ts'
import type { Extensions } from '../extensions/extensions.ts'
import type { Programs } from '../programs.ts'
import type { Sandbox, SandboxMount, SandboxNetwork, SandboxResult } from '../sandbox/port.ts'
import type { HeldChanges } from '../sealed/held-changes.ts'
import type { KeptChanges, KeptReply } from '../sealed/kept-changes.ts'
import type { SealedFiles } from '../sealed/sealed-files.ts'
import { failure } from './failure.ts'

export interface ShellParts {
  readonly sandbox: Sandbox | undefined
  readonly programs: Programs
  /** Holds the bytes that this call binds. */
  readonly sealed: SealedFiles
  /** Holds what commands changed; nothing where the sandbox has no layers. */
  readonly kept: KeptChanges | undefined
  /** Holds what they changed where the permit is for a view. */
  readonly held: HeldChanges | undefined
  /** What the operator has opened beyond the public network. */
  readonly places: AddressPolicy
  /** What of them a permit names is seen by its program. */
  readonly skills?: Pick<Extensions, 'current' | 'trees'>
}

export function shellCapabilities(subject: ApprovalSubject, parts: ShellParts): ToolCapabilities['shell'] {
  return {
    bound: () => subject.resources.find((resource) => resource.type === 'exec')?.argv,
    async run({ argv, cwd, stdin, timeoutMs, signal, unsealed = [], written = [], undoable = false, skill }) {
      const { sandbox } = parts
      if (!sandbox) return failure('There is no sandbox.')
      const profile = programProfile(subject.sandbox)
      if (!profile) return failure('The permit is for a tool that runs no program.')
      if (!(await isBound(argv, cwd, subject, parts.programs)))
        return failure('The permit names another command.')
      const viewed = subject.resources.some((resource) => resource.type === 'exec' && resource.view)
      if (viewed && (profile === 'network' || !parts.held))
        return failure('The permit is for a view, and there is none.')
      const mounts = skill === undefined ? [] : await skillMounts(skill, subject, parts)
      if ('kind' in mounts) return mounts
      const network = profile === 'network' ? openNetwork(subject, parts.places, signal) : undefined
      const { maxOutputBytes, maxMemoryBytes, maxProcesses, maxTimeoutMs } = sandboxLimits
      try {
        const sealed = await parts.sealed.layers({
          unsealed: unsealed.map(({ path }) => path),
          written: written.map(({ path }) => path),
        })
        if (sealed.kind === 'changed') return failure(sealed.reason)
        const result = await sandbox.run(
          {
            argv,
            cwd,
            env: sandboxEnvironment,
            profile,
            ...(stdin === undefined ? {} : { stdin }),
            ...(network ? { network: network.serve } : {}),
            ...(sandbox.layered ? { layers: sealed.layers } : {}),
            ...(mounts.length > 0 ? { mounts } : {}),
            timeoutMs: Math.min(timeoutMs, maxTimeoutMs),
            maxOutputBytes,
            maxMemoryBytes,
            maxProcesses,
          },
          signal,
        )
        const ran: CommandResult = {
          ...ranOf(result, network?.refused() ?? []),
          durationMs: Math.round(result.durationMs),
          hidden: hiddenIn(parts.sealed),
        }
        if (profile === 'read-only' || !parts.kept) return ran
        // What was stopped is not wanted: nobody waits for a decision about it.
        if (viewed && signal.aborted) return ran
        // The permit decides, and not the tool: without an approval for what it does, nothing of it counts yet.
        if (viewed && parts.held) {
          const { held, ...reply } = await parts.sealed.hold(parts.held, subject)
          return { ...endedWith(ran, reply), held }
        }
        return await takenOver(ran, undoable, parts.sealed, parts.kept)
      } catch (error) {
        return failure(error instanceof Error ? error.message : String(error))
      }
    },
  }
}

/** The files of the skill that the permit names, as it names them, after each was compared with its hash. */
async function skillMounts(
  name: string,
  { resources }: Pick<ApprovalSubject, 'resources'>,
  { skills }: Pick<ShellParts, 'skills'>,
): Promise<readonly SandboxMount[] | ReturnType<typeof failure>> {
  const now = skills?.current()
  const skill = now && skillNamed(now, name)
  const isNamed = resources.some(
    (each) =>
      each.type === 'extension' &&
      each.kind === 'skill' &&
      each.name === name &&
      each.op === 'use' &&
      now !== undefined &&
      each.entry === entryHash(now, 'skill', name),
  )
  if (!skills || !skill?.enabled || !isNamed) return failure('The permit does not name this skill as it is.')
  const tree = await skills.trees.folder(skill.tree)
  return tree.kind === 'refused' ? failure(tree.reason) : [{ from: tree.path, at: skillFolder }]
}

export function hiddenIn(sealed: SealedFiles): string[] {
  return sealed.hidden().flatMap(({ path, there }) => (there ? [path] : []))
}

/** What a command changed has happened when it is in the workspace, and not before. */
async function takenOver(
  ran: CommandResult,
  undoable: boolean,
  sealedFiles: SealedFiles,
  keptChanges: KeptChanges,
): Promise<CommandResult> {
  const reply = await sealedFiles.takeOver(keptChanges)
  const { id } = reply
  if (id !== null && !undoable) await keptChanges.drop(id)
  return { ...endedWith(ran, reply), kept: undoable ? id : null }
}

export function endedWith(
  ran: CommandResult,
  { conflicts, left, tooMuch }: Pick<KeptReply, 'conflicts' | 'left' | 'tooMuch'>,
): CommandResult {
  if (conflicts.length > 0) return { ...ran, end: { kind: 'changed', paths: conflicts } }
  if (tooMuch !== null) return { ...ran, end: { kind: 'too-much', why: tooMuch } }
  const notes = [
    ...(left.length > 0 ? [`not kept, because it is neither a file nor a folder: ${left.join(', ')}`] : []),
    ...(crossDevice.test(ran.stderr) ? [crossDeviceNote] : []),
  ]
  return { ...ran, stderr: `${ran.stderr}${notes.map((note) => `[sandbox] ${note}\n`).join('')}` }
}

/** The kernel cannot rename a folder of the lower layer; programs that know of it copy instead. */
const crossDevice = /Invalid cross-device link|\bEXDEV\b/
const crossDeviceNote =
  'a folder that was there before cannot be renamed in one step here; use mv, which copies, or move_file'

/** The first word may be a name or a path; what counts is the program that it stands for, and its content. */
async function isBound(
  argv: readonly string[],
  cwd: string,
  subject: ApprovalSubject,
  programs: Programs,
): Promise<boolean> {
  const [word = '', ...rest] = argv
  const program = await programs.find(word)
  if (!program) return false
  return subject.resources.some(
    (resource) =>
      resource.type === 'exec' &&
      resource.cwd === cwd &&
      resource.path === program.path &&
      resource.content === program.content &&
      isSameWord(word, resource) &&
      resource.argv.length === argv.length &&
      rest.every((text, index) => text === resource.argv[index + 1]),
  )
}

/** Some programs do different things under different names, so a path must end in the name that was approved. */
function isSameWord(word: string, { argv: [bound = ''] }: ExecResource): boolean {
  return word === bound || (isAbsolute(word) && basename(word) === bound)
}

interface Network {
  readonly serve: SandboxNetwork
  refused(): readonly string[]
}

function openNetwork(subject: ApprovalSubject, policy: AddressPolicy, signal: AbortSignal): Network {
  const named = new Set(
    subject.resources.flatMap((resource) =>
      resource.type === 'url' && resource.method === 'CONNECT' ? [`${resource.host}:${resource.port}`] : [],
    ),
  )
  const { maxNetworkBytes: maxBytes, maxConnections } = sandboxLimits
  let proxy: EgressProxy | undefined
  return {
    async serve(server) {
      proxy = await openEgressProxy({
        allow: (host, port) => named.has(`${host}:${port}`),
        policy,
        listen: { server },
        limits: { ...defaultProxyLimits, maxBytes, maxConnections },
        signal,
      })
      return proxy
    },
    refused: () => proxy?.refused() ?? [],
  }
}

export function ranOf(
  result: SandboxResult,
  refused: readonly string[],
): Omit<CommandResult, 'durationMs' | 'hidden'> {
  const { stdout } = result
  const notes = [...new Set(refused)].map((what) => `[network] refused ${what}\n`).join('')
  const stderr = `${result.stderr}${notes}`
  if (result.kind !== 'exited') {
    return {
      kind: 'ran',
      end: { kind: 'killed', why: result.kind },
      stdout,
      stderr,
      truncated: false,
      kept: null,
      held: null,
    }
  }
  const code = result.code ?? 137
  return {
    kind: 'ran',
    end: { kind: 'exited', code },
    stdout,
    stderr,
    truncated: result.truncated,
    kept: null,
    held: null,
  }
}
