/** Owns the figures of an operator's memory. */
import type { Records, Scalar } from '../records.ts'
import { MemoryStatus, MemoryType, memoriesCollection } from './memory.ts'

export interface MemoryFigures {
  total: number
  status: Record<MemoryStatus, number>
  /** Of those in use. */
  type: Record<MemoryType, number>
  pinned: number
  /** In use, and never told to an agent so far. */
  unused: number
  newestAt: string | null
  oldestAt: string | null
}

export async function memoryFigures(records: Records): Promise<MemoryFigures> {
  const count = async (where: Readonly<Record<string, Scalar>>) =>
    (await records.list(memoriesCollection, { where, limit: 1 })).total
  const edge = async (direction: 'up' | 'down') => {
    const order = [{ field: 'createdAt', direction }] as const
    const asked = { where: { status: 'active' }, order, limit: 1 }
    return (await records.list(memoriesCollection, asked)).records[0]?.createdAt ?? null
  }
  const status = await counts(MemoryStatus.options, (each) => count({ status: each }))
  return {
    total: Object.values(status).reduce((sum, each) => sum + each, 0),
    status,
    type: await counts(MemoryType.options, (each) => count({ status: 'active', type: each })),
    pinned: await count({ status: 'active', pinned: true }),
    unused: await count({ status: 'active', uses: 0 }),
    newestAt: await edge('down'),
    oldestAt: await edge('up'),
  }
}

async function counts<Name extends string>(
  names: readonly Name[],
  count: (name: Name) => Promise<number>,
): Promise<Record<Name, number>> {
  const found = {} as Record<Name, number>
  for (const name of names) found[name] = await count(name)
  return found
}
