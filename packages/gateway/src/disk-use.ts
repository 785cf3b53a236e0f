/** Owns how much room things take: tables by group, folders, and what is left. Looks rarely; folders can be large. */
import { opendir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Status } from '@countersign/contract'
import type { HomePaths } from '@countersign/contract/node'
import type { Kernel } from '@countersign/kernel'

export type DiskUse = Status['disk']

const lookAgainMs = 10 * 60_000
/** A folder with more files is counted up to here; the figure is then a lower bound. */
const mostFiles = 200_000

export function createDiskUse(parts: {
  readonly paths: Pick<HomePaths, 'data' | 'workspace' | 'executor' | 'logs'>
  readonly kernel: Pick<Kernel, 'tableSizes'>
  readonly clock: () => number
}): () => Promise<DiskUse> {
  const { paths, kernel, clock } = parts
  let last: { readonly at: number; readonly use: Promise<DiskUse> } | undefined

  async function look(): Promise<DiskUse> {
    const [tables, free, workspace, executor, logs] = await Promise.all([
      kernel.tableSizes(),
      freeBytes(paths.data),
      sizeOf(paths.workspace),
      sizeOf(paths.executor),
      sizeOf(paths.logs),
    ])
    return {
      free,
      database: tables.total,
      events: tables.events,
      details: tables.details,
      ledger: tables.ledger,
      workspace,
      executor,
      logs,
    }
  }

  // What is left is counted each time: it is what somebody who frees some looks for.
  const freeNow = async (use: DiskUse) => ({ ...use, free: await freeBytes(paths.data) })
  return () => {
    if (!last || clock() - last.at > lookAgainMs) {
      const use = look()
      last = { at: clock(), use }
      use.catch(() => {
        last = undefined
      })
    }
    return last.use.then(freeNow)
  }
}

/** Zero where nobody knows. */
async function freeBytes(folder: string): Promise<number> {
  const space = await statfs(folder).catch(() => undefined)
  return space ? space.bavail * space.bsize : 0
}

/** Never rejects: what cannot be read is not counted. Follows no link. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  let files = 0
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined && files < mostFiles; next = waiting.pop()) {
    const entries = await opendir(next).catch(() => undefined)
    if (!entries) continue
    for await (const entry of entries) {
      if (files >= mostFiles) break
      const path = join(next, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile()) {
        files += 1
        const found = await stat(path).catch(() => undefined)
        bytes += found?.size ?? 0
      }
    }
  }
  return bytes
}
