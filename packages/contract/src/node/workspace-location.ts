/**
 * Owns where a workspace may be. What a tool writes there is free, so it neither holds nor lies in a folder with the
 * product's own settings, keys, records or program.
 */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HomePaths } from './home.ts'

/** The folders that are the product's alone. The usual workspace is the folder of that name in one of them. */
export function ownFolders(paths: HomePaths): string[] {
  return [dirname(paths.config), paths.data, paths.state, paths.run]
}

/** Where the program itself and its dependencies are. */
export function programFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const modules = `${sep}node_modules`
  const installed = here.lastIndexOf(modules + sep)
  if (installed !== -1) return here.slice(0, installed + modules.length)
  return above(here, 'pnpm-workspace.yaml') ?? above(here, 'package.json') ?? here
}

function above(folder: string, mark: string): string | undefined {
  if (existsSync(join(folder, mark))) return folder
  return dirname(folder) === folder ? undefined : above(dirname(folder), mark)
}

/** Says why a folder cannot be the workspace, or nothing. */
export function workspaceProblem(workspace: string, own: readonly string[]): string | undefined {
  const place = nearestReal(workspace)
  const program = [programFolder(), process.execPath]
  for (const folder of [...own, ...program]) {
    const real = nearestReal(folder)
    if (real === place) return `The workspace ${workspace} is a folder that belongs to Countersign.`
    if (isWithin(real, place))
      return `The workspace ${workspace} holds ${folder}, which belongs to Countersign.`
    const isUsual = !program.includes(folder) && isWithin(place, join(real, 'workspace'))
    if (isWithin(place, real) && !isUsual)
      return `The workspace ${workspace} lies in ${folder}, which belongs to Countersign.`
  }
  return undefined
}

export const workspaceNext =
  'Choose a folder of its own with COUNTERSIGN_WORKSPACE or --workspace, such as ~/countersign-workspace.'

/** Real as far as there is something; a folder that is made later is judged by where it will be. */
function nearestReal(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch (error) {
    const folder = dirname(whole)
    if (folder === whole || !(error instanceof Error && 'code' in error)) throw error
    return join(nearestReal(folder), basename(whole))
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
