/** Owns what a filter means in a statement on the rows of the index. */
import { type RawBuilder, sql } from 'kysely'
import type { MemoryFilter } from './vector-index.ts'

/** At least one term: the status. */
export function filterTerms(table: string, filter: MemoryFilter): RawBuilder<unknown>[] {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const terms = [sql`${column('status')} = ${filter.status ?? 'active'}`]
  if (filter.type !== undefined) terms.push(sql`${column('type')} = ${filter.type}`)
  if (filter.goal === null) terms.push(sql`${column('goal')} is null`)
  else if (filter.goal !== undefined)
    terms.push(sql`(${column('goal')} is null or ${column('goal')} = ${filter.goal})`)
  if (filter.tags !== undefined && filter.tags.length > 0)
    terms.push(sql`${column('tags')} @> ${filter.tags}::text[]`)
  return terms
}

/** True where there is more to check than the status. */
export function isNarrowed({ type, goal, tags }: MemoryFilter): boolean {
  return type !== undefined || goal !== undefined || (tags !== undefined && tags.length > 0)
}
