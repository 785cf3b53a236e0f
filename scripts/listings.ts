/** Owns the comparison of tables in the documentation with what they list: the errors and the dependencies. */
import { type ErrorCode, errorCatalogue } from '../packages/contract/src/errors.ts'
import { pinsOf, type Workspace } from './workspace.ts'

/** A code of the catalogue stands with its exit code and its HTTP status; a database code by its name alone. */
export function errorDifferences(documentation: string, databaseErrorSource: string): string[] {
  const rows = rowsOf(documentation)
  const codes = Object.keys(errorCatalogue) as ErrorCode[]
  const databaseCodes = [...databaseErrorSource.matchAll(/^\s+\| '(\w+)'/gm)].map(([, code = '']) => code)
  const found = difference('docs/errors.md', 'error', [...codes, ...databaseCodes], [...rows.keys()])
  for (const code of codes) {
    const row = rows.get(code)
    const { exit, http } = errorCatalogue[code]
    if (row && (row[1] !== String(exit) || row[2] !== String(http))) {
      found.push(`docs/errors.md: ${code} has exit ${exit} and status ${http}, not ${row[1]} and ${row[2]}.`)
    }
  }
  return found
}

/** Where the cell after the name is a version, it must be the pinned one. */
export function dependencyDifferences(documentation: string, workspace: Workspace): string[] {
  const rows = rowsOf(documentation)
  const pins = pinsOf([{ manifest: workspace.root }, ...workspace.members])
  const found = difference('docs/dependencies.md', 'dependency', [...pins.keys()], [...rows.keys()])
  for (const [name, cells] of rows) {
    const version = cells[1]?.replaceAll('`', '') ?? ''
    const pinned = pins.get(name)
    if (pinned !== undefined && /^v?\d+\.\d+/.test(version) && version !== pinned) {
      found.push(`docs/dependencies.md: ${name} is pinned to ${pinned}, not ${version}.`)
    }
  }
  return found
}

/** The table rows that begin with a word in backticks, by that word. */
function rowsOf(documentation: string): Map<string, string[]> {
  const rows = new Map<string, string[]>()
  for (const line of documentation.split('\n')) {
    const name = /^\|\s*`([^`]+)`\s*\|/.exec(line)?.[1]
    if (name === undefined) continue
    const cells = line.split(/(?<!\\)\|/).slice(1, -1)
    rows.set(
      name,
      cells.map((cell) => cell.trim()),
    )
  }
  return rows
}

function difference(
  file: string,
  noun: string,
  expected: readonly string[],
  listed: readonly string[],
): string[] {
  return [
    ...expected.filter((name) => !listed.includes(name)).map((name) => `${file} has no row for ${name}.`),
    ...listed
      .filter((name) => !expected.includes(name))
      .map((name) => `${file} lists ${name}, which is no ${noun}.`),
  ]
}
