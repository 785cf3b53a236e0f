/** Owns whether one folder holds another, or is it, wherever links on the way lead. Of what is missing its place counts. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

export function foldersOverlap(one: string, other: string): boolean {
  const [first, second] = [realPlace(resolve(one)), realPlace(resolve(other))]
  return isWithin(first, second) || isWithin(second, first)
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

function realPlace(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const above = dirname(path)
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || above === path) throw error
    return join(realPlace(above), basename(path))
  }
}
