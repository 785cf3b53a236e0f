/** Owns how the program that takes changes over is started: inside the sandbox, with the folders that its task needs. */
import { sandboxLimits } from '../confinement.ts'
import { sandboxNode, sandboxWorkspace } from '../sandbox/layout.ts'
import type { Sandbox, SandboxKept, SandboxLayers } from '../sandbox/port.ts'
import { sandboxChanges, sandboxJournal, sandboxSource, sandboxView } from '../sandbox/stage.ts'
import { listProgram } from './list-program.ts'
import { placeProgram } from './place-program.ts'
import { showProgram } from './show-program.ts'
import {
  type TakeOverPlaces,
  type TakeOverReply,
  type TakeOverRequest,
  takeOverProgram,
} from './take-over-program.ts'
import { treeProgram } from './tree-program.ts'

/** Rejects when the program did not come to its end; what it had begun is then written down in the journal. */
export async function runTakeOver(
  sandbox: Sandbox,
  request: TakeOverRequest,
  folders: { readonly kept: SandboxKept; readonly layers?: SandboxLayers },
): Promise<TakeOverReply> {
  const { maxOutputBytes, maxMemoryBytes, maxTimeoutMs } = sandboxLimits
  const result = await sandbox.run(
    {
      argv: [sandboxNode, ...lightly, '-e', source],
      cwd: '',
      env: {},
      profile: 'workspace-write',
      stdin: JSON.stringify(request),
      ...folders,
      timeoutMs: maxTimeoutMs,
      maxOutputBytes,
      maxMemoryBytes,
      maxProcesses: 32,
    },
    // What a command did is taken over whole, also when the call is cancelled meanwhile.
    new AbortController().signal,
  )
  if (result.kind === 'exited' && result.code === 0) return JSON.parse(result.stdout) as TakeOverReply
  throw new Error(reasonIn(result.stderr) ?? result.kind)
}

/** What went wrong, without where in the program. */
function reasonIn(stderr: string): string | undefined {
  const [, code, said] = /^\w*Error: (?:(E[A-Z]+): )?(.+)$/m.exec(stderr) ?? []
  return code === 'EACCES' ? 'it left a file or folder that cannot be read' : said
}

/** Fewer threads: it only moves bytes. */
const lightly = ['--v8-pool-size=0', '--single-threaded', '--max-semi-space-size=1']

const places: TakeOverPlaces = {
  workspace: sandboxWorkspace,
  changes: sandboxChanges,
  view: sandboxView,
  journal: sandboxJournal,
  source: sandboxSource,
}

const source = `(${takeOverProgram.toString()})({
  tree: ${treeProgram.toString()},
  list: ${listProgram.toString()},
  place: ${placeProgram.toString()},
  show: ${showProgram.toString()},
}, ${JSON.stringify(places)})`
