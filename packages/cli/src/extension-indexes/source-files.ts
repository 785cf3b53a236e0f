/**
 * Owns how what an entry of an index names is brought to this computer, as a file that the usual command takes: an archive by its
 * hash, a commit of a repository by git. Nothing of it runs. Refuses bytes with another hash.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IndexSource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { RunProgram } from '../run-program.ts'
import { bytesAt, type Fetch } from './read-index.ts'

type Archive = Extract<IndexSource, { kind: 'archive' }>
type Repository = Extract<IndexSource, { kind: 'git' }>

const mostArchiveBytes = 50 * 1024 * 1024

export type BroughtFile = { readonly path: string } | { readonly reason: string }

export async function archiveFile({ url, sha256 }: Archive, send: Fetch): Promise<BroughtFile> {
  const bytes = await bytesAt(url, mostArchiveBytes, send)
  if (typeof bytes === 'string') return { reason: bytes }
  const found = sha256Hex(bytes)
  if (found !== sha256)
    return { reason: `${url} is not what the index says: its SHA-256 is ${found}, and not ${sha256}.` }
  const path = join(await place(), new URL(url).pathname.endsWith('.zip') ? 'files.zip' : 'files.tar.gz')
  await writeFile(path, bytes, { flag: 'wx' })
  return { path }
}

/**
 * The commit is its own hash: what git gives for it is what was named. No working copy is made, no hook and no filter runs, also
 * none that this account has, and attributes of the repository change no byte.
 */
export async function repositoryFile(
  { url, commit, path: part }: Repository,
  run: RunProgram,
): Promise<BroughtFile> {
  const folder = await place()
  const path = join(folder, 'files.tar.gz')
  const settings = [
    'protocol.allow=never',
    'protocol.https.allow=always',
    'http.followRedirects=false',
    // Nobody is asked for a password at the terminal.
    'core.askPass=true',
    'credential.helper=',
    'core.hooksPath=/dev/null',
    'core.attributesFile=/dev/null',
    'transfer.fsckObjects=true',
    'gc.auto=0',
    'maintenance.auto=false',
  ]
  const closed = [...settings.flatMap((each) => ['-c', each]), '-C', folder]
  const steps: readonly (readonly string[])[] = [
    [...closed, 'init', '--quiet', '--bare', '--template=', 'repository'],
    [...closed, '--git-dir=repository', ...fetchWords, url, commit],
    [
      ...closed,
      '--git-dir=repository',
      'archive',
      '--format=tar.gz',
      `--output=${path}`,
      part === undefined ? commit : `${commit}:${part}`,
    ],
  ]
  for (const step of steps) {
    const ran = await run('git', step)
    if (ran.kind === 'ran' && ran.code === 0 && step === steps[0]) await closeAttributes(folder)
    if (ran.kind === 'missing')
      return { reason: 'git is not installed here, and repositories are fetched by it.' }
    if (ran.code !== 0)
      return { reason: `${url} could not be fetched at ${commit}: ${ran.errors.trim().slice(-500)}` }
  }
  return { path }
}

const fetchWords = [
  'fetch',
  '--quiet',
  '--depth=1',
  '--no-tags',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
]

/** What stands here goes before the attributes of the repository. */
async function closeAttributes(folder: string): Promise<void> {
  const info = join(folder, 'repository', 'info')
  await mkdir(info, { recursive: true })
  const none = ['filter', 'ident', 'text', 'eol', 'working-tree-encoding', 'export-subst', 'export-ignore']
  await writeFile(join(info, 'attributes'), `* ${none.map((name) => `-${name}`).join(' ')}\n`)
}

function place(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'countersign-source-'))
}
