/** Finds whole ids by a part that somebody typed: how an id begins, or how it ends. Sees the operator's own rows only. */
import type { OperatorId, ShortIdKind } from '@countersign/contract'
import type { LimitedDb, Reader } from '@countersign/kernel'
import { sql } from 'kysely'

const tables = {
  ses: 'sessions',
  run: 'runs',
  call: 'calls',
  apr: 'approvals',
  q: 'questions',
  gr: 'grants',
  goal: 'records',
  mem: 'records',
} as const satisfies Record<ShortIdKind, string>

/** Of those that are records. */
const collections: Partial<Record<ShortIdKind, string>> = { goal: 'goals', mem: 'memories' }

/** Nobody chooses from more. */
const most = 10

/** Newest first. The part is hexadecimal, so that nothing in it means anything to `like`. */
export function createShortIds(read: Reader) {
  const every = Object.keys(tables) as ShortIdKind[]
  return {
    shortIds: (operator: OperatorId, { part, kind }: ShortIdQuery): Promise<string[]> =>
      read(operator, async (db) => {
        const kinds = kind === undefined ? every : [kind]
        const found = await Promise.all(kinds.map((each) => idsOf(db, each, part)))
        return found.flat().slice(0, most)
      }),
  }
}

export interface ShortIdQuery {
  readonly part: string
  readonly kind?: ShortIdKind | undefined
}

async function idsOf(db: LimitedDb, kind: ShortIdKind, part: string): Promise<string[]> {
  const collection = collections[kind]
  const rows = await db
    .selectFrom(tables[kind])
    .select('id')
    .$if(collection !== undefined, (query) => query.where(sql<boolean>`collection = ${collection}`))
    .where(sql<boolean>`(id like ${`${kind}\\_${part}%`} or id like ${`%${part}`})`)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}
