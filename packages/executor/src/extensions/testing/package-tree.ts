/** Makes a folder of an installed package with everything that it needs, without links, as `npm install` would. For tests. */
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const own = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/** Says where the program of the package is, from the folder. */
export function copyPackage(name: string, into: string): string {
  place(name, realpathSync(join(own, 'node_modules', name)), into)
  const { bin } = manifestOf(join(into, 'node_modules', name))
  const [program = ''] = typeof bin === 'string' ? [bin] : Object.values(bin ?? {})
  return join('node_modules', name, program)
}

/** Beside the others where the place is free or holds the same version, else below the one that needs it. */
function place(name: string, from: string, into: string, below = into): void {
  const shared = join(into, 'node_modules', name)
  if (existsSync(shared) && manifestOf(shared).version === manifestOf(from).version) return
  const at = existsSync(shared) ? join(below, 'node_modules', name) : shared
  if (existsSync(at)) return
  mkdirSync(dirname(at), { recursive: true })
  cpSync(from, at, {
    recursive: true,
    dereference: true,
    filter: (path) => !path.slice(from.length).split(sep).includes('node_modules'),
  })
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(from)
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = neighbour(from, needed)
    if (found !== undefined) place(needed, found, into, at)
  }
}

function neighbour(from: string, name: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const at = join(folder, 'node_modules', name)
    if (existsSync(at)) return realpathSync(at)
  }
  return undefined
}

interface Manifest {
  readonly version?: string
  readonly bin?: string | Record<string, string>
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}
