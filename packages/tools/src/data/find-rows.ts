/** Owns finding records of a table, by columns or by words. */
import type { ToolResult } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { tellingOf } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { tableResource, tellRows } from './facts.ts'
import { type RowQuery, rowsQuery } from './row.ts'
import { findTable, noTable, rowsOf } from './table.ts'

export async function rowsToFind(
  name: string,
  asked: RowQuery,
  context: RecordToolContext,
): Promise<EffectsResult> {
  const table = await findTable(context.records, name)
  if (!table) return { kind: 'invalid', reason: noTable(name) }
  const ready = rowsQuery(table, asked)
  if (ready.kind === 'invalid') return ready
  return {
    kind: 'found',
    resources: [tableResource(table), recordResource(rowsOf(name), '*', 'list', null)],
    effects: [recordEffect('list', `records of the table ${name}`)],
  }
}

export async function findRows(
  name: string,
  asked: RowQuery,
  context: RecordToolContext,
): Promise<ToolResult> {
  const table = await findTable(context.records, name)
  if (!table) return failed(noTable(name))
  const ready = rowsQuery(table, asked)
  if (ready.kind === 'invalid') return failed(ready.reason)
  const { records, total } = await context.records.list(rowsOf(name), ready.query)
  const head =
    total === 0 ? `No records found in ${name}.` : `${records.length} of ${total} records in ${name}:`
  const text = records.length === 0 ? head : `${head}\n${tellRows(table, records)}`
  return tellingOf([...records, table.record], succeeded(text, `Found ${total} records in the table ${name}`))
}
