/** Owns the HTTP resources of the operator's own tables and their records. */
import {
  CountersignError,
  CustomTable,
  type JsonObject,
  Receipt,
  RecordData,
  RecordList,
  RecordReply,
  type Records,
  RecordView,
  type StoredRecord,
  TableReply,
  TableView,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import {
  changedRow,
  type DataTable,
  findTable,
  mostTables,
  newRecordId,
  newRow,
  noTable,
  rowsOf,
  rowsQuery,
  rowTitle,
  tableData,
  tableFrom,
  tableProblem,
  tablesCollection,
  takenIn,
} from '@countersign/tools'
import { z } from '@hono/zod-openapi'
import {
  declareRecordRoute,
  imported,
  labelOf,
  pageOf,
  parseBody,
  type RecordEntry,
  type RecordRoutesOptions,
  recordNotFound,
  requireVersion,
  usageError,
} from './record-route.ts'
import type { App } from './route.ts'

export function addTables(app: App, { records: port }: RecordRoutesOptions): void {
  const all = '/v1/tables'
  const one = `${all}/{table}`
  const entry = (actor: Actor, type: RecordEntry['type'], table: string): RecordEntry => ({
    type,
    actor,
    data: { collection: tablesCollection, id: table, title: table },
  })
  const viewOfApproval = async (records: Records, table: DataTable) => {
    const counts = await records.count(rowsOf(table.name))
    return tableView(table, counts.get(rowsOf(table.name)) ?? 0)
  }

  declareRecordRoute(app, 'get', all, {
    summary: 'The operator’s own tables.',
    reply: z.array(TableView),
    answer: async ({ operator }) => ({
      body: await port.read(operator, async ({ records }) => {
        const order = [{ field: 'createdAt', direction: 'up' } as const]
        const { records: found } = await records.list(tablesCollection, { order, limit: mostTables })
        const counts = await records.count(rowsOf(''))
        return found.map(tableFrom).map((table) => tableView(table, counts.get(rowsOf(table.name)) ?? 0))
      }),
    }),
  })
  declareRecordRoute(app, 'post', all, {
    summary: 'Makes a table.',
    query: [imported],
    body: CustomTable,
    reply: TableReply,
    async answer({ operator, actor, query, body }) {
      const given = CustomTable.parse(body)
      const problem = tableProblem(given)
      if (problem !== undefined) throw usageError(problem)
      const { value, ledger } = await port.change(operator, async ({ records, record }) => {
        const count = (await records.count(tablesCollection)).get(tablesCollection) ?? 0
        if (count >= mostTables)
          throw new CountersignError(
            'limit_reached',
            `There are already ${count} tables, which is the maximum.`,
            {
              next: 'Delete a table first.',
            },
          )
        if (await records.get(tablesCollection, given.table))
          throw new CountersignError('conflict', `The table ${given.table} already exists.`, {
            next: 'Take another name.',
          })
        record(entry(actor, 'record.added', given.table))
        const label = labelOf(query)
        return tableFrom(await records.insert(tablesCollection, given.table, tableData(given), label))
      })
      return { status: 201, body: { table: tableView(value, 0), ledger }, version: value.record.version }
    },
  })
  declareRecordRoute(app, 'get', one, {
    summary: 'One table with its columns.',
    reply: TableView,
    answer: ({ operator, table }) =>
      port.read(operator, async ({ records }) => {
        const found = await requireTable(records, table)
        return { body: await viewOfApproval(records, found), version: found.record.version }
      }),
  })
  declareRecordRoute(app, 'delete', one, {
    summary: 'Deletes a table with all its records.',
    reply: Receipt,
    async answer({ operator, actor, table, expected }) {
      const { ledger } = await port.change(operator, async ({ records, record }) => {
        const found = await requireTable(records, table)
        requireVersion(found.record, expected)
        await records.clear(rowsOf(table))
        await records.remove(tablesCollection, table, found.record.version)
        record(entry(actor, 'record.removed', table))
      })
      return { body: { ok: true, ledger } }
    },
  })
}

export function addRows(app: App, { records: port, uuid }: RecordRoutesOptions): void {
  const all = '/v1/tables/{table}/records'
  const one = `${all}/{id}`
  const entry = (
    actor: Actor,
    type: RecordEntry['type'],
    table: DataTable,
    record: StoredRecord,
  ): RecordEntry => ({
    type,
    actor,
    data: {
      collection: rowsOf(table.name),
      id: record.id,
      title: rowTitle(table, record.data).slice(0, 80).toWellFormed(),
    },
  })
  const find = async (records: Records, table: string, id: string) => {
    const found = await requireTable(records, table)
    const record = await records.get(rowsOf(table), id)
    if (!record) throw recordNotFound(`The table ${table} has no record ${id}.`)
    return { table: found, record }
  }

  declareRecordRoute(app, 'get', all, {
    summary: 'Records of a table. `filter` is a JSON object of columns and values.',
    query: ['filter', 'sortBy', 'sortOrder', 'search', 'limit', 'offset'],
    reply: RecordList,
    async answer({ operator, table, query }) {
      const { page, rest } = pageOf(query)
      const { filter, ...given } = parseBody(RowQuery, rest)
      const body = await port.read(operator, async ({ records }) => {
        const found = await requireTable(records, table)
        const asked = rowsQuery(found, {
          ...given,
          ...page,
          ...(filter ? { filter: filterFrom(filter) } : {}),
        })
        if (asked.kind === 'invalid') throw usageError(asked.reason)
        const { records: items, total } = await records.list(rowsOf(table), asked.query)
        return { items, total, ...page }
      })
      return { body }
    },
  })
  declareRecordRoute(app, 'post', all, {
    summary: 'Adds one record to a table. `source` says where it comes from, if not from you.',
    query: [imported],
    body: RecordData,
    reply: RecordReply,
    async answer({ operator, actor, table, query, body }) {
      const { value, ledger } = await port.change(operator, async ({ records, record }) => {
        const found = await requireTable(records, table)
        const made = newRow(found, body)
        const problem = made.kind === 'invalid' ? made.reason : await takenIn(records, found, made.row, null)
        if (made.kind === 'invalid' || problem !== undefined) throw usageError(problem ?? '')
        const label = labelOf(query)
        const added = await records.insert(rowsOf(table), newRecordId('row', uuid()), made.row, label)
        record(entry(actor, 'record.added', found, added))
        return added
      })
      return { status: 201, body: { record: value, ledger }, version: value.version }
    },
  })
  declareRecordRoute(app, 'get', one, {
    summary: 'One record of a table.',
    reply: RecordView,
    async answer({ operator, table, id }) {
      const { record } = await port.read(operator, ({ records }) => find(records, table, id))
      return { body: record, version: record.version }
    },
  })
  declareRecordRoute(app, 'patch', one, {
    summary: 'Changes one record of a table; null removes a value.',
    query: [imported],
    body: RecordData,
    reply: RecordReply,
    async answer({ operator, actor, table, id, query, body, expected }) {
      const { value, ledger } = await port.change(operator, async ({ records, record }) => {
        const found = await find(records, table, id)
        requireVersion(found.record, expected)
        const made = changedRow(found.table, found.record.data, body)
        const problem =
          made.kind === 'invalid' ? made.reason : await takenIn(records, found.table, made.row, id)
        if (made.kind === 'invalid' || problem !== undefined) throw usageError(problem ?? '')
        const { version } = found.record
        const label = labelOf(query, found.record.label)
        const after = await records.replace(rowsOf(table), id, version, made.row, label)
        record(entry(actor, 'record.changed', found.table, after))
        return after
      })
      return { body: { record: value, ledger }, version: value.version }
    },
  })
  declareRecordRoute(app, 'delete', one, {
    summary: 'Deletes one record of a table.',
    reply: Receipt,
    async answer({ operator, actor, table, id, expected }) {
      const { ledger } = await port.change(operator, async ({ records, record }) => {
        const found = await find(records, table, id)
        requireVersion(found.record, expected)
        await records.remove(rowsOf(table), id, found.record.version)
        record(entry(actor, 'record.removed', found.table, found.record))
      })
      return { body: { ok: true, ledger } }
    },
  })
}

const RowQuery = z.strictObject({
  filter: z.string().exactOptional(),
  sortBy: z.string().exactOptional(),
  sortOrder: z.enum(['asc', 'desc']).exactOptional(),
  search: z.string().exactOptional(),
})

function filterFrom(text: string): JsonObject {
  try {
    return parseBody(RecordData, JSON.parse(text) as unknown) as JsonObject
  } catch (cause) {
    throw new CountersignError('usage', 'filter is not a JSON object.', { cause })
  }
}

async function requireTable(records: Records, name: string): Promise<DataTable> {
  const table = await findTable(records, name)
  if (!table) throw recordNotFound(noTable(name))
  return table
}

function tableView({ name, description, columns, record }: DataTable, records: number): TableView {
  const { version, createdAt, updatedAt } = record
  return {
    table: name,
    description: description ?? null,
    columns: [...columns],
    records,
    version,
    createdAt,
    updatedAt,
  }
}
