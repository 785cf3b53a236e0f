/** Owns the trial that a layered sandbox passes before it is used: one sealed file, read from inside. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { leastMemoryBytes, sandboxWorkspace } from '../sandbox/layout.ts'
import type { SandboxProbe } from '../sandbox/port.ts'
import { sealedFolders } from '../sandbox/stage.ts'
import { removeFolder } from './sealing-folder.ts'

/** Refuses a host that cannot lay files over those of the workspace: a call would run with other bytes than it binds. */
export async function tryLayers(probe: SandboxProbe, folder: string): Promise<SandboxProbe> {
  if (probe.kind === 'unavailable' || !probe.sandbox.layered) return probe
  const sealedFolder = await mkdtemp(join(folder, 'trial-'))
  try {
    for (const name of Object.values(sealedFolders)) await mkdir(join(sealedFolder, name))
    await writeFile(join(sealedFolder, sealedFolders.files, trialName), 'sealed')
    const result = await probe.sandbox.run(
      {
        argv: ['/bin/sh', '-c', `cd ${sandboxWorkspace} && cat ${trialName} && rm ${trialName}`],
        cwd: '',
        env: {},
        profile: 'workspace-write',
        layers: { sealedFolder, node: null, workspace: 'sealed' },
        timeoutMs: 20_000,
        maxOutputBytes: 4_096,
        maxMemoryBytes: leastMemoryBytes,
        maxProcesses: 16,
      },
      new AbortController().signal,
    )
    const isSealed = result.kind === 'exited' && result.code === 0 && result.stdout === 'sealed'
    return isSealed ? probe : unavailable(result.stderr.trim() || result.kind, folder)
  } catch (error) {
    return unavailable(error instanceof Error ? error.message : String(error), folder)
  } finally {
    await removeFolder(sealedFolder)
  }
}

const trialName = '.countersign-trial'

function unavailable(reason: string, folder: string): SandboxProbe {
  return {
    kind: 'unavailable',
    reason: `files cannot be sealed for a command: ${reason}`,
    fix: `Use Linux 5.11 or newer with overlayfs in user namespaces, and keep ${folder} on a local disk.`,
  }
}
