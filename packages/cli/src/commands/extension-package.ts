/**
 * Owns fetching an npm package as the files of a server: by its exact version, without its scripts, and only with files that
 * are what the registry says of them. Refuses a range of versions, and a package that brings others from elsewhere.
 */
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StdioLaunch } from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import type { Context } from '../context.ts'
import { line } from '../output/safe-text.ts'

export interface ServerFiles {
  readonly folder: string
  readonly tree: string
  readonly package: StdioLaunch['package']
  /** Inside the sandbox. */
  readonly program?: string
}

/** A text says what is wrong. */
export async function packageFiles(
  { host, working }: Pick<Context, 'host' | 'working'>,
  wanted: string,
  /** Of its tarball, where somebody named it beforehand. */
  integrity?: string,
): Promise<ServerFiles | string> {
  const named = exactPackage(wanted)
  if (!named)
    return `--package takes a name and an exact version, such as name@1.2.3, and not ${line(wanted)}.`
  const { name, version } = named
  const folder = await mkdtemp(join(tmpdir(), 'countersign-extension-'))
  working(`Fetching ${line(wanted)}…`)
  const words = [
    '--no-bin-links',
    '--ignore-scripts',
    '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    // Where each came from is looked at.
    '--omit-lockfile-registry-resolved=false',
  ]
  const ran = await host.runProgram('npm', ['install', '--prefix', folder, ...words, `${name}@${version}`])
  if (ran.kind === 'missing') return 'npm is not installed here, and packages are fetched by it.'
  if (ran.code !== 0) return `${line(wanted)} could not be fetched: ${line(ran.errors.trim().slice(-500))}`
  const fetched = fetchedPackage(
    await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8').catch(() => '{}'),
    named,
  )
  if (typeof fetched === 'string') return fetched
  if (integrity !== undefined && fetched.integrity !== integrity)
    return `${line(wanted)} is not what was named: its integrity is ${line(fetched.integrity ?? 'not told')}, and not ${line(integrity)}.`
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as {
    bin?: string | Record<string, string>
  }
  const { bin } = manifest
  const [program] = typeof bin === 'string' ? [bin] : Object.values(bin ?? {})
  const found = await readTree(folder)
  if (found.kind === 'refused') return found.reason
  return {
    folder,
    tree: found.sha256,
    package: fetched,
    ...(program === undefined ? {} : { program: `/extension/${join('node_modules', name, program)}` }),
  }
}

interface NamedPackage {
  readonly name: string
  readonly version: string
}

/** Nothing for a range, a tag, or another place than the registry. */
export function exactPackage(wanted: string): NamedPackage | undefined {
  const [, name, version] =
    /^((?:@[\w.-]+\/)?\w[\w.-]*)@(\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?)$/.exec(wanted) ?? []
  return name === undefined || version === undefined ? undefined : { name, version }
}

interface Lock {
  readonly packages?: Readonly<
    Record<
      string,
      {
        readonly version?: string
        /** Where it came from. */
        readonly resolved?: string
        readonly integrity?: string
        readonly link?: boolean
        readonly inBundle?: boolean
      }
    >
  >
}

/** What npm writes of what it laid down; it has checked the files against these hashes. A text says what is wrong. */
export function fetchedPackage(
  lock: string,
  { name, version }: NamedPackage,
): NonNullable<StdioLaunch['package']> | string {
  const { packages = {} } = JSON.parse(lock) as Lock
  const own = packages[`node_modules/${name}`]
  if (own?.version !== version)
    return `npm laid down another version of ${line(name)} than ${line(version)}: ${line(own?.version ?? 'none')}.`
  const registry = originOf(own)
  const strange = Object.entries(packages).find(
    ([, each]) =>
      each.link === true ||
      // npm writes a hash for whatever it fetched, also from an address that the package named.
      !(each.inBundle || (each.integrity?.startsWith('sha512-') && registry && originOf(each) === registry)),
  )
  if (strange)
    return `${line(name)} brings ${line(strange[0].replace(/^.*node_modules\//, ''))} from elsewhere than the registry, where nothing says what its files are. Look at it, and let it in as a folder: --files.`
  return { name, version, integrity: own.integrity ?? '' }
}

function originOf({ resolved = '' }: { readonly resolved?: string }): string | undefined {
  const { protocol, origin } = URL.parse(resolved) ?? {}
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined
}
