/** Owns reading and reshaping of data, and lists. Runs inside the machine as source text. */
import type { Host } from './globals.ts'

export function data(host: Host): object {
  type Row = Record<string, unknown>
  const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null
  const stepsOf = (path: unknown) =>
    String(path)
      .split(/[.[\]]+/)
      .filter((step) => step !== '')
  const getPath = (value: unknown, path: unknown, fallback?: unknown) => {
    let found = value
    for (const step of stepsOf(path)) {
      if (!isRow(found) || !Object.hasOwn(found, step)) return fallback
      found = found[step]
    }
    return found
  }
  const keyOf = (key: unknown) => (item: unknown) =>
    typeof key === 'function' ? (key as (item: unknown) => unknown)(item) : getPath(item, key)
  const flat = (value: Row, separator: string, before: string): [string, unknown][] =>
    Object.entries(value).flatMap(([key, each]) =>
      isRow(each) && Object.keys(each).length > 0
        ? flat(each, separator, `${before}${key}${separator}`)
        : [[`${before}${key}`, each] as [string, unknown]],
    )
  const rowsOf = (text: string, delimiter: string) => {
    const rows: string[][] = [[]]
    let field = ''
    let isQuoted = false
    const endField = () => {
      rows[rows.length - 1]?.push(field)
      field = ''
    }
    for (let at = 0; at < text.length; at += 1) {
      const letter = text[at] ?? ''
      if (isQuoted) {
        if (letter !== '"') field += letter
        else if (text[at + 1] === '"') field += text[(at += 1)] ?? ''
        else isQuoted = false
      } else if (letter === '"' && field === '') isQuoted = true
      else if (letter === delimiter) endField()
      else if (letter === '\n') {
        endField()
        rows.push([])
      } else if (letter !== '\r' || text[at + 1] !== '\n') field += letter
    }
    endField()
    return rows.filter((row) => row.length > 1 || row[0] !== '')
  }
  const shuffle = (items: Iterable<unknown>) => {
    const left = [...items]
    for (let at = left.length - 1; at > 0; at -= 1) {
      const other = Math.floor(host.random() * (at + 1))
      const held = left[at]
      left[at] = left[other]
      left[other] = held
    }
    return left
  }
  return {
    getPath,
    shuffle,
    parseJson(text: unknown, fallback?: unknown) {
      try {
        return JSON.parse(String(text)) as unknown
      } catch (error) {
        if (fallback === undefined) throw error
        return fallback
      }
    },
    toJson: (value: unknown, indent: unknown = 2) => JSON.stringify(value, null, Number(indent)),
    parseCsv(text: unknown, options: { delimiter?: string; header?: boolean } = {}) {
      const rows = rowsOf(String(text), options.delimiter ?? ',')
      if (options.header === false) return rows
      const [names = [], ...rest] = rows
      return rest.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
    },
    flatten: (value: unknown, separator: unknown = '.') =>
      Array.isArray(value)
        ? value.flat(Number.POSITIVE_INFINITY)
        : Object.fromEntries(flat(value as Row, String(separator), '')),
    unique(items: readonly unknown[], key?: unknown) {
      if (key === undefined) return [...new Set(items)]
      const seen = new Map<unknown, unknown>()
      for (const item of items) {
        const found = keyOf(key)(item)
        if (!seen.has(found)) seen.set(found, item)
      }
      return [...seen.values()]
    },
    chunk(items: readonly unknown[], size: unknown = 1) {
      const length = Math.max(1, Math.floor(Number(size)) || 1)
      return Array.from({ length: Math.ceil(items.length / length) }, (_, index) =>
        items.slice(index * length, (index + 1) * length),
      )
    },
    sample(items: readonly unknown[], count?: unknown) {
      return count === undefined ? shuffle(items)[0] : shuffle(items).slice(0, Math.max(0, Number(count)))
    },
    groupBy(items: readonly unknown[], key: unknown) {
      const groups = new Map<string, unknown[]>()
      for (const item of items) {
        const name = String(keyOf(key)(item))
        const group = groups.get(name)
        if (group) group.push(item)
        else groups.set(name, [item])
      }
      return Object.fromEntries(groups)
    },
  }
}
