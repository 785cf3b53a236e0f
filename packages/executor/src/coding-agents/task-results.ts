/** Owns what became of the tasks of coding agents: a file for each, the newest of them, in a folder that no call reads. */
import { randomUUIDv7 } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CodingTaskResult } from '@countersign/tools'

export interface TaskResults {
  /** Gives the id under which it is kept. */
  keep(facts: Omit<CodingTaskResult, 'id' | 'at'>): Promise<string>
  get(id: string): Promise<CodingTaskResult | undefined>
  /** The newest first. */
  list(limit: number): Promise<CodingTaskResult[]>
}

const mostKept = 200
const idShape = /^ctask_[0-9a-f]{32}$/

export function createTaskResults(folder: string, now: () => Date): TaskResults {
  const files = async () => {
    const names = await readdir(folder).catch(() => [])
    return names
      .filter((name) => idShape.test(name.replace(/\.json$/, '')) && name.endsWith('.json'))
      .toSorted()
  }
  const read = async (name: string): Promise<CodingTaskResult | undefined> => {
    const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
    const parsed = text === undefined ? undefined : CodingTaskResult.safeParse(JSON.parse(text))
    return parsed?.success ? parsed.data : undefined
  }
  return {
    async keep(facts) {
      const id = `ctask_${randomUUIDv7().replaceAll('-', '')}`
      const result: CodingTaskResult = { id, at: now().toISOString(), ...facts }
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const part = join(folder, `${result.id}.part`)
      await writeFile(part, JSON.stringify(result), { mode: 0o600 })
      await rename(part, join(folder, `${result.id}.json`))
      // The ids begin with the time, so that their order is the order of the tasks.
      for (const name of (await files()).slice(0, -mostKept)) await rm(join(folder, name), { force: true })
      return id
    },
    get: async (id) => (idShape.test(id) ? read(`${id}.json`) : undefined),
    async list(limit) {
      const newest = (await files()).toReversed().slice(0, limit)
      const found = await Promise.all(newest.map(read))
      return found.filter((result) => result !== undefined)
    },
  }
}
