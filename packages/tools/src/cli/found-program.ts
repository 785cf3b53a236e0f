/** Owns where a program of the list is: on the host, or installed in the workspace; and the exact words that start it. */
import { posix } from 'node:path'
import type { Inspector } from '../inspector.ts'
import { cliFolders, type ListedProgram } from './program-list.ts'

export interface FoundProgram {
  readonly program: { readonly path: string; readonly content: string }
  /** Up to where the arguments begin. */
  readonly argv: readonly string[]
  readonly installed: 'host' | 'workspace'
  /** What it cannot start without, in the workspace. */
  readonly folders: readonly string[]
}

/** What the host has stands above what was installed: it is what the operator keeps up to date. */
export async function findListed(
  listed: ListedProgram,
  cwd: string,
  inspect: Inspector,
): Promise<FoundProgram | undefined> {
  const program = await inspect.program(listed.program)
  if (program) return { program, argv: [listed.program], installed: 'host', folders: [] }
  return findInstalled(listed, cwd, inspect)
}

async function findInstalled(
  listed: ListedProgram,
  cwd: string,
  inspect: Inspector,
): Promise<FoundProgram | undefined> {
  const from = listed.package
  if (!from) return undefined
  const folder = cliFolders[from.manager]
  const file =
    from.manager === 'npm'
      ? `${folder}/node_modules/${from.name}/${from.start}`
      : `${folder}/${from.module}/__main__.py`
  const location = inspect.locate(file)
  if (location.root !== 'workspace' || (await inspect.file(location)).kind !== 'file') return undefined
  const [interpreter, ...words] = startOf(from, folder, file, cwd)
  const program = await inspect.program(interpreter)
  return program && { program, argv: [interpreter, ...words], installed: 'workspace', folders: [folder] }
}

function startOf(
  from: NonNullable<ListedProgram['package']>,
  folder: string,
  file: string,
  cwd: string,
): [string, ...string[]] {
  if (from.manager === 'npm') return ['node', posix.relative(cwd, file)]
  return ['python3', '-I', '-c', runModule, posix.relative(cwd, folder), from.module]
}

/** Isolated, Python finds nothing of the workspace by itself; it is told this one folder. */
const runModule =
  'import os,runpy,sys; sys.path.insert(0, os.path.abspath(sys.argv.pop(1))); runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)'
