/**
 * Owns that an installed part is whole or not there: it is made in a folder beside the final one and counts only once it
 * has that name, so that an installation that was killed leaves nothing half.
 */
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export interface InstallProgress {
  /** From 0 to 1. */
  readonly fraction: number
  readonly words: string
}

export interface Part {
  readonly version: string
  readonly bytes: number
}

export type InstallResult =
  | ({ readonly kind: 'installed' } & Part)
  | { readonly kind: 'failed'; readonly message: string }

export interface WholeInstallation {
  readonly folder: string
  readonly onProgress: (progress: InstallProgress) => void
  readonly signal: AbortSignal
}

/** Never rejects. What is built lies in `part` within the scratch folder. */
export async function installWhole(
  { folder, signal, onProgress }: WholeInstallation,
  build: (scratch: string) => Promise<InstallResult>,
): Promise<InstallResult> {
  const mark = `${basename(folder)}.installing-`
  let scratch: string | undefined
  try {
    await mkdir(dirname(folder), { recursive: true })
    await clearLeftovers(dirname(folder), mark)
    scratch = await mkdtemp(join(dirname(folder), `${mark}${process.pid}-`))
    const made = await build(scratch)
    if (made.kind === 'failed') return signal.aborted ? failed('The installation was cancelled.') : made
    await replace(folder, join(scratch, 'part'), join(scratch, 'old'))
    onProgress({ fraction: 1, words: `Installed, ${megabytes(made.bytes)} on disk.` })
    return made
  } catch (error) {
    if (signal.aborted) return failed('The installation was cancelled.')
    return failed(`The installation failed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Files come and go while they are counted. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined)
    bytes += found?.size ?? 0
  }
  return bytes
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

/** What was there before goes only when the new one is ready to take its name. */
async function replace(folder: string, part: string, old: string): Promise<void> {
  await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(part, folder)
}

/** Of installations whose process is gone. */
async function clearLeftovers(parent: string, mark: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(mark)) continue
    const pid = Number.parseInt(name.slice(mark.length), 10)
    // Where npm outlived it for a moment and still writes, the next installation clears the rest.
    if (!isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function failed(message: string): InstallResult {
  return { kind: 'failed', message }
}
