/** Owns tables that are given as rows, either lists or objects. Refuses those that would mostly be empty cells. */
import type { JsonObject, JsonValue } from '@countersign/contract'
import { answer, type ComputationResult, refuse } from './computing.ts'

export interface TextTable {
  /** None if the rows are lists and nobody named them. */
  readonly columns: readonly string[]
  readonly cells: readonly (readonly string[])[]
}

export function tableOf(
  rows: readonly (JsonObject | JsonValue[])[],
  columns: readonly string[] | undefined,
): ComputationResult<TextTable> {
  const objects = rows.filter((row) => !Array.isArray(row))
  if (objects.length > 0 && objects.length < rows.length)
    return refuse('The rows must all be objects or all be lists.')
  const names = columns ?? [...new Set(objects.flatMap((row) => Object.keys(row)))]
  if (names.length * rows.length > mostCells)
    return refuse(`The table would have more than ${mostCells} cells. Choose columns or give fewer rows.`)
  const cells = rows.map((row) =>
    Array.isArray(row)
      ? row.map(cellOf)
      : names.map((name) => cellOf(Object.hasOwn(row, name) ? row[name] : null)),
  )
  return answer({ columns: names, cells })
}

const mostCells = 100_000

function cellOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
