/** Owns what a table of the operator's own is. Refuses names that Countersign keeps for itself or has tools for. */
import {
  type CustomTable,
  CustomTable as CustomTableShape,
  type JsonObject,
  type Records,
  type StoredRecord,
  type TableColumn,
} from '@countersign/contract'
import { valueIn } from './column.ts'

export interface DataTable {
  readonly name: string
  readonly description: string | undefined
  readonly columns: readonly TableColumn[]
  /** The record that keeps it. */
  readonly record: StoredRecord
}

export const tablesCollection = 'custom_tables'
export const mostTables = 100
export const mostColumns = 50
export const largestRow = 16 * 1024

/** The collection of a table's rows. */
export function rowsOf(table: string): string {
  return `table:${table}`
}

export async function findTable(records: Records, name: string): Promise<DataTable | undefined> {
  const record = await records.get(tablesCollection, name)
  return record && tableFrom(record)
}

export function tableFrom(record: StoredRecord): DataTable {
  const { table, description, columns } = CustomTableShape.parse({ table: record.id, ...record.data })
  return { name: table, description, columns, record }
}

/** What a table is kept as; its name is its id. */
export function tableData({ description, columns }: CustomTable): JsonObject {
  const kept = columns.map((column) => ({ ...column })) as JsonObject[]
  return description === undefined ? { columns: kept } : { description, columns: kept }
}

/** What no single field of a table can say. */
export function tableProblem({ table, columns }: CustomTable): string | undefined {
  const tools = ownTools(table)
  if (tools !== undefined) return `There are tools for that: use ${tools} instead of a table named ${table}.`
  const seen = new Set<string>()
  for (const column of columns) {
    const name = column.name.toLowerCase()
    // What every object has of its own would pass for a value.
    if (column.name in {}) return `The column name ${column.name} cannot be used. Take another.`
    if (reserved.includes(name)) return `The column name ${column.name} is taken: every record has it anyway.`
    if (seen.has(name)) return `Two columns are named ${column.name}.`
    seen.add(name)
    const problem = columnProblem(column)
    if (problem !== undefined) return problem
  }
  return undefined
}

export function noTable(name: string): string {
  return `There is no table ${name}. See what there is with list_custom_tables, or make it with create_custom_table.`
}

/** Of names and types only, which hold nothing but letters, digits and underscores. */
export function columnsInWords(columns: readonly TableColumn[]): string {
  return columns
    .map(({ name, type, required }) => `${name} (${type}${required ? ', required' : ''})`)
    .join(', ')
}

const reserved = ['id', 'createdat', 'updatedat']

function ownTools(name: string): string | undefined {
  const plain = name.replaceAll('_', '').replace(/^(my|personal|custom)/, '')
  return served.find(({ names }) => names.test(plain))?.tools
}

const served = [
  { names: /^(tasks?|todos?|todolists?|tasklists?)$/, tools: 'add_task and list_tasks' },
  { names: /^(notes?|memos?)$/, tools: 'add_note and list_notes' },
  { names: /^(bookmarks?|links?)$/, tools: 'add_bookmark and list_bookmarks' },
  {
    names: /^(calendars?|events?|calendarevents?|appointments?|meetings?)$/,
    tools: 'add_calendar_event and list_calendar_events',
  },
  { names: /^(contacts?|addressbooks?)$/, tools: 'add_contact and list_contacts' },
]

function columnProblem(column: TableColumn): string | undefined {
  const { name, type, options, unique } = column
  if (type === 'select' && options === undefined) return `The column ${name} is a select and needs options.`
  if (type !== 'select' && options !== undefined)
    return `The column ${name} has options, so its type must be select.`
  if (options && new Set(options).size < options.length) return `The column ${name} has an option twice.`
  if (unique && (type === 'json' || type === 'boolean'))
    return `The column ${name} is ${type} and cannot be unique.`
  if (column.default === undefined) return undefined
  if (unique) return `The column ${name} is unique and cannot have a default.`
  const value = valueIn(column, column.default)
  return value.kind === 'invalid' ? `The default of ${value.reason}` : undefined
}
