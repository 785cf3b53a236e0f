/** Runs commands over a view of a workspace and takes over what they changed, as a call does; for tests and benches. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalSubject } from '@countersign/contract'
import { sandboxEnvironment, sandboxLimits } from '../../confinement.ts'
import { probeBubblewrap } from '../../sandbox/bubblewrap.ts'
import type { SandboxLayers, SandboxResult } from '../../sandbox/port.ts'
import type { HiddenPath } from '../hide-files.ts'
import { type KeptChanges, type KeptReply, openKeptChanges } from '../kept-changes.ts'
import { createProgramCopies } from '../program-copies.ts'
import { createSealedFiles, type SealedFiles } from '../sealed-files.ts'

export interface ViewedWorkspace {
  readonly workspace: string
  kept: KeptChanges
  /** What another run or the operator does while the command is over and nothing is taken over yet. */
  run(command: string, meanwhile?: () => void): Promise<{ result: SandboxResult; taken: KeptReply }>
  /** With these paths kept from it; says which of them really were. */
  runWithout(
    hidden: readonly string[],
    command: string,
  ): Promise<{ result: SandboxResult; taken: KeptReply; hidden: readonly HiddenPath[] }>
  /** The same in the same sandbox, on the workspace itself. */
  bare(command: string): Promise<SandboxResult>
  /** As after a restart of the executor. */
  reopen(): Promise<void>
}

export async function openView(folder: string): Promise<ViewedWorkspace> {
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace, { recursive: true })
  const probe = await probeBubblewrap({ workspace, hidden: [] })
  if (probe.kind !== 'available') throw new Error(probe.reason)
  const { sandbox } = probe
  const open = () => openKeptChanges({ folder: join(folder, 'kept'), sandbox, now: () => new Date() })
  const sealing = {
    folder: join(folder, 'calls'),
    workspace,
    nodePath: process.execPath,
    copies: createProgramCopies(join(folder, 'programs')),
  }
  const { maxOutputBytes, maxMemoryBytes, maxProcesses } = sandboxLimits
  const run = (command: string, layers?: SandboxLayers) =>
    sandbox.run(
      {
        argv: ['/bin/bash', '-c', command],
        cwd: '.',
        env: sandboxEnvironment,
        profile: 'workspace-write',
        ...(layers ? { layers } : {}),
        timeoutMs: 120_000,
        maxOutputBytes,
        maxMemoryBytes,
        maxProcesses,
      },
      new AbortController().signal,
    )
  const view: ViewedWorkspace = {
    bare: (command) => run(command),
    workspace,
    kept: await open(),
    run: (command, meanwhile) => runWithout([], command, meanwhile),
    runWithout,
    async reopen() {
      view.kept = await open()
    },
  }

  async function runWithout(
    hidden: readonly string[],
    command: string,
    meanwhile: () => void = () => undefined,
  ) {
    const subject = { resources: [], hidden } as unknown as ApprovalSubject
    const sealed: SealedFiles = createSealedFiles(subject, sealing)
    try {
      const ready = await sealed.layers({ unsealed: [], written: [] })
      if (ready.kind === 'changed') throw new Error(ready.reason)
      const result = await run(command, ready.layers)
      meanwhile()
      return { result, taken: await sealed.takeOver(view.kept), hidden: sealed.hidden() }
    } finally {
      await sealed.close()
    }
  }
  return view
}

/** Everything below a folder, byte for byte: kinds, modes, contents, targets of links. */
export function treeOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'latin1' })
    .map((name) => {
      const path = Buffer.from(`${root}/${name}`, 'latin1')
      const stat = lstatSync(path)
      const mode = (stat.mode & 0o7777).toString(8)
      if (stat.isSymbolicLink()) return `${name} -> ${readlinkSync(path, { encoding: 'latin1' })}`
      if (!stat.isFile()) return `${name} ${stat.isDirectory() ? 'folder' : 'other'} ${mode}`
      return `${name} ${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
    })
    .toSorted()
}
