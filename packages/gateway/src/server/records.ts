/**
 * Owns the HTTP resources of the operator's own records. What is done here is the operator's own act: written in one
 * transaction with its ledger entry, on the version that the screen showed.
 */
import {
  ExpenseGroup,
  ExpenseSummary,
  Receipt,
  recordList,
  recordReply,
  recordView,
  type StoredRecord,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import {
  type Collection,
  changedRecord,
  everyExpense,
  expenseSummaryOf,
  expenses,
  newRecordData,
  newRecordId,
  recordQuery,
  recordResources,
  recordTitle,
} from '@countersign/tools'
import type { z } from '@hono/zod-openapi'
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
import { addRows, addTables } from './record-tables.ts'
import type { App } from './route.ts'

export type { RecordEntry, RecordRoutesOptions } from './record-route.ts'

/** Adds the resources to an API whose requests have been authenticated before they come here. */
export function addRecordRoutes(app: App, options: RecordRoutesOptions): void {
  for (const { path, collection } of recordResources) addCollection(app, path, collection, options)
  addExpenseSummary(app, options)
  addTables(app, options)
  addRows(app, options)
}

function addCollection(
  app: App,
  path: string,
  collection: Collection,
  { records: port, uuid }: RecordRoutesOptions,
): void {
  const { name, singular, shape } = collection
  const data = shape.loose()
  const all = `/v1/${path}`
  const one = `${all}/{id}`
  const missing = (id: string) => recordNotFound(`There is no ${singular} ${id}.`)
  const entry = (actor: Actor, type: RecordEntry['type'], record: StoredRecord): RecordEntry => ({
    type,
    actor,
    data: { collection: name, id: record.id, title: recordTitle(collection, record.data) },
  })

  declareRecordRoute(app, 'get', all, {
    summary: `Lists ${name}.`,
    query: [...Object.keys(collection.filters), 'search', 'limit', 'offset'],
    reply: recordList(data),
    async answer({ operator, query }) {
      const { page, rest } = pageOf(query)
      const { search, ...filters } = rest
      const given = {
        ...parseBody(collection.narrowed, typed(collection, filters)),
        ...(search ? { search } : {}),
      }
      const asked = recordQuery(collection, given, page)
      const found = await port.read(operator, ({ records }) => records.list(name, asked))
      return { body: { items: found.records, total: found.total, ...page } }
    },
  })
  declareRecordRoute(app, 'post', all, {
    summary: `Adds one ${singular}. \`source\` says where it comes from, if not from you.`,
    query: [imported],
    body: shape,
    reply: recordReply(data),
    async answer({ operator, actor, query, body }) {
      const { value, ledger } = await port.change(operator, async ({ records, record, now }) => {
        const made = newRecordData(collection, body, now)
        if (made.kind === 'invalid') throw usageError(made.reason)
        const label = labelOf(query)
        const added = await records.insert(name, newRecordId(collection.prefix, uuid()), made.data, label)
        record(entry(actor, 'record.added', added))
        return added
      })
      return { status: 201, body: { record: value, ledger }, version: value.version }
    },
  })
  declareRecordRoute(app, 'get', one, {
    summary: `One ${singular}.`,
    reply: recordView(data),
    async answer({ operator, id }) {
      const found = await port.read(operator, ({ records }) => records.get(name, id))
      if (!found) throw missing(id)
      return { body: found, version: found.version }
    },
  })
  declareRecordRoute(app, 'patch', one, {
    summary: `Changes one ${singular}; null removes a field.`,
    query: [imported],
    body: collection.changed,
    reply: recordReply(data),
    async answer({ operator, actor, id, query, body, expected }) {
      const { value, ledger } = await port.change(operator, async ({ records, record, now }) => {
        const before = await records.get(name, id)
        if (!before) throw missing(id)
        requireVersion(before, expected)
        const made = changedRecord(collection, before.data, body, now)
        if (made.kind === 'invalid') throw usageError(made.reason)
        const label = labelOf(query, before.label)
        const after = await records.replace(name, id, before.version, made.data, label)
        record(entry(actor, 'record.changed', after))
        return after
      })
      return { body: { record: value, ledger }, version: value.version }
    },
  })
  declareRecordRoute(app, 'delete', one, {
    summary: `Deletes one ${singular}.`,
    reply: Receipt,
    async answer({ operator, actor, id, expected }) {
      const { ledger } = await port.change(operator, async ({ records, record }) => {
        const before = await records.get(name, id)
        if (!before) throw missing(id)
        requireVersion(before, expected)
        await records.remove(name, id, before.version)
        record(entry(actor, 'record.removed', before))
      })
      return { body: { ok: true, ledger } }
    },
  })
}

/** Beside the expenses and not among them, where an id stands. */
function addExpenseSummary(app: App, { records: port }: RecordRoutesOptions): void {
  declareRecordRoute(app, 'get', '/v1/expense-summary', {
    summary: 'What expenses come to.',
    query: ['by', ...Object.keys(expenses.filters), 'search'],
    reply: ExpenseSummary,
    async answer({ operator, query: { by, search, ...filters } }) {
      const group = parseBody(ExpenseGroup.default('category'), by)
      const given = { ...parseBody(expenses.narrowed, filters), ...(search ? { search } : {}) }
      const asked = recordQuery(expenses, given, { limit: 1 })
      const found = await port.read(operator, ({ records }) => everyExpense(records, asked))
      return { body: expenseSummaryOf(found, group) }
    },
  })
}

/** The parameters of an address are texts; a filter may want a truth value. */
function typed(collection: Collection, filters: Readonly<Record<string, string>>): Record<string, unknown> {
  const truths: Readonly<Record<string, boolean>> = { true: true, false: false }
  return Object.fromEntries(
    Object.entries(filters).map(([name, text]) => {
      const field = collection.narrowed.shape[name] as z.ZodType | undefined
      const truth = truths[text]
      return [name, truth !== undefined && field?.safeParse(truth).success ? truth : text]
    }),
  )
}
