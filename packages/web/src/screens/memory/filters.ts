/** Owns which memories are asked for, within what the gateway allows. */
import type { MemoryView } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'

export const memoryFilters = ['active', 'suggested', 'superseded', 'rejected'] as const
export type MemoryFilter = (typeof memoryFilters)[number]

/** The most that the gateway gives at once. */
export const mostListed = 200
export const mostFound = 50

export interface FoundMemories {
  readonly rows: readonly MemoryView[]
  readonly total: number
}

export async function findMemories(
  client: Pick<Client, 'memories' | 'searchMemories'>,
  show: MemoryFilter,
  words: string,
  pages = 1,
): Promise<FoundMemories> {
  if (words !== '' && show === 'active') {
    const found = await client.searchMemories({ q: words, limit: String(mostFound) })
    return { rows: found.map(({ memory }) => memory), total: found.length }
  }
  const rows: MemoryView[] = []
  let total = 0
  for (let page = 0; page < pages; page += 1) {
    const offset = String(page * mostListed)
    const q = words === '' ? {} : { q: words }
    const list = await client.memories({ status: show, limit: String(mostListed), offset, ...q })
    rows.push(...list.items)
    total = list.total
    if (rows.length >= total) break
  }
  return { rows, total }
}

export function filterOf(text: string | undefined): MemoryFilter {
  return memoryFilters.find((each) => each === text) ?? 'active'
}
