/**
 * Owns the operator's records in PostgreSQL. Names of fields and values are parameters, never part of a statement; row
 * security keeps one operator from the records of another whatever is asked here.
 */
import {
  CountersignError,
  type JsonObject,
  type OperatorId,
  type RecordPage,
  type RecordQuery,
  type Records,
  type StoredRecord,
} from '@countersign/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Db, json, storable, storableJson } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

type Row = Selectable<Tables['records']>

const lookAgain = 'Read it again, and repeat the change on the current version.'
const columns = ['id', 'data', 'label', 'version', 'created_at', 'updated_at'] as const

export function recordsOf(db: Db, operator: OperatorId, now: Date): Records {
  const one = (collection: string, id: string) => ({ operator_id: operator, collection, id })

  async function get(collection: string, id: string): Promise<StoredRecord | undefined> {
    const row = await rowsOf(collection).select(columns).where('id', '=', storable(id)).executeTakeFirst()
    return row && recordFrom(row)
  }

  function rowsOf(collection: string) {
    return db.selectFrom('records').where('operator_id', '=', operator).where('collection', '=', collection)
  }

  /** Says which of the two it was: nothing there, or something newer. */
  async function refuse(collection: string, id: string): Promise<never> {
    const found = await rowsOf(collection).select('version').where('id', '=', id).executeTakeFirst()
    if (!found) throw new CountersignError('not_found', `${id} is gone.`, { next: lookAgain })
    const details = { version: found.version }
    throw new CountersignError('conflict', `${id} has changed meanwhile.`, { next: lookAgain, details })
  }

  return {
    get,
    list: (collection, query) => list(db, operator, collection, query),
    async insert(collection, id, data, label) {
      const row = await db
        .insertInto('records')
        .values({
          ...one(collection, id),
          data: json(storableJson(data)),
          label: label && json(storableJson(label)),
          version: 1,
          created_at: now,
          updated_at: now,
        })
        .onConflict((on) => on.doNothing())
        .returning(columns)
        .executeTakeFirst()
      if (!row) throw new CountersignError('conflict', `The id ${id} is taken.`)
      return recordFrom(row)
    },
    async replace(collection, id, version, data, label) {
      const row = await db
        .updateTable('records')
        .set({
          data: json(storableJson(data)),
          label: label && json(storableJson(label)),
          version: version + 1,
          updated_at: now,
        })
        .where('operator_id', '=', operator)
        .where('collection', '=', collection)
        .where('id', '=', id)
        .where('version', '=', version)
        .returning(columns)
        .executeTakeFirst()
      return row ? recordFrom(row) : refuse(collection, id)
    },
    async remove(collection, id, version) {
      const row = await db
        .deleteFrom('records')
        .where('operator_id', '=', operator)
        .where('collection', '=', collection)
        .where('id', '=', id)
        .where('version', '=', version)
        .returning('id')
        .executeTakeFirst()
      if (!row) await refuse(collection, id)
    },
    async restore(collection, record) {
      const state = {
        data: json(storableJson(record.data)),
        label: record.label && json(storableJson(record.label)),
        created_at: new Date(record.createdAt),
        updated_at: new Date(record.updatedAt),
      }
      const row = await db
        .insertInto('records')
        .values({ ...one(collection, record.id), ...state, version: record.version + 1 })
        .onConflict((on) =>
          on
            .columns(['operator_id', 'collection', 'id'])
            .doUpdateSet((set) => ({ ...state, version: sql<number>`${set.ref('records.version')} + 1` })),
        )
        .returning(columns)
        .executeTakeFirstOrThrow()
      return recordFrom(row)
    },
    async clear(collection) {
      const done = await db
        .deleteFrom('records')
        .where('operator_id', '=', operator)
        .where('collection', '=', collection)
        .executeTakeFirst()
      return Number(done.numDeletedRows)
    },
    async count(prefix) {
      const rows = await db
        .selectFrom('records')
        .select(['collection', sql<number>`count(*)`.as('total')])
        .where('operator_id', '=', operator)
        .where('collection', '>=', prefix)
        .where('collection', '<', `${prefix}\u{10FFFF}`)
        .groupBy('collection')
        .execute()
      return new Map(rows.map((row) => [row.collection, row.total]))
    },
  }
}

/** Reads the records once for the page and the total, since what a query filters by has no index. */
async function list(
  db: Db,
  operator: OperatorId,
  collection: string,
  query: RecordQuery,
): Promise<RecordPage> {
  const mine = sql`operator_id = ${operator} and collection = ${collection}`
  const terms = termsOf(query)
  const keys = keysOf(query.order)
  const all = sql`${sql.join([mine, ...terms], sql` and `)}`
  const count = () => sql<{ total: number }>`select count(*) as total from records where ${all}`.execute(db)
  const page = sql`limit ${query.limit} offset ${query.offset ?? 0}`
  if (terms.length === 0 && keys.length === 0) {
    const { rows } =
      await sql<Row>`select * from records where ${mine} order by created_at desc, id desc ${page}`.execute(
        db,
      )
    // A page that is not full is the last one.
    const isWhole = rows.length < query.limit && (rows.length > 0 || !query.offset)
    const total = isWhole ? (query.offset ?? 0) + rows.length : ((await count()).rows[0]?.total ?? 0)
    return { records: rows.map(recordFrom), total }
  }
  const named = keys.map(({ key }, place) => sql`${key} as ${sql.id(`key_${place}`)}`)
  const order = sql.join([
    ...keys.map(({ way }, place) => sql`${sql.id(`key_${place}`)} ${way} nulls last`),
    sql`made desc`,
    sql`id desc`,
  ])
  const { rows } = await sql<Row & { total: number }>`
    with found as materialized (
      select ${sql.join([sql`id`, sql`created_at as made`, ...named])} from records where ${all}
    ), page as (
      select * from found order by ${order} ${page}
    )
    select records.*, (select count(*) from found) as total
    from page join records using (id) where ${mine} order by ${order}`.execute(db)
  const total = rows[0]?.total ?? (query.offset ? (await count()).rows[0]?.total : 0)
  return { records: rows.map(recordFrom), total: total ?? 0 }
}

function recordFrom(row: Pick<Row, (typeof columns)[number]>): StoredRecord {
  return {
    id: row.id,
    data: row.data,
    label: row.label,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function termsOf({ where, between, holds, search }: RecordQuery): RawBuilder<unknown>[] {
  const terms: RawBuilder<unknown>[] = []
  const contains = (part: JsonObject) => sql`data @> ${json(storableJson(part))}::jsonb`
  if (where && Object.keys(where).length > 0) terms.push(contains({ ...where }))
  if (holds) terms.push(contains({ [holds.field]: [holds.value] }))
  if (between?.from !== undefined)
    terms.push(sql`${textOf(between.field)} collate "C" >= ${storableJson(between.from)}`)
  if (between?.to !== undefined)
    terms.push(sql`${textOf(between.field)} collate "C" <= ${storableJson(between.to)}`)
  const words = search?.text.split(/\s+/).filter((word) => word !== '') ?? []
  if (search && words.length > 0) {
    const hay = sql`fold(concat_ws(' ', ${sql.join(search.fields.map(textOf))}))`
    for (const word of words) terms.push(sql`strpos(${hay}, fold(${storableJson(word)}::text)) > 0`)
  }
  return terms
}

function textOf(field: string): RawBuilder<unknown> {
  return sql`(data ->> ${storableJson(field)}::text)`
}

function keysOf(order: RecordQuery['order'] = []): { key: RawBuilder<unknown>; way: RawBuilder<unknown> }[] {
  return order.flatMap(({ field, direction }) => {
    const way = direction === 'up' ? sql`asc` : sql`desc`
    if (field === 'createdAt') return [{ key: sql`records.created_at`, way }]
    if (field === 'updatedAt') return [{ key: sql`records.updated_at`, way }]
    const value = sql`(data -> ${storableJson(field)}::text)`
    return [
      { key: sql`case jsonb_typeof(${value}) when 'number' then ${value}::numeric end`, way },
      { key: sql`fold(${textOf(field)}) collate "C"`, way },
    ]
  })
}
