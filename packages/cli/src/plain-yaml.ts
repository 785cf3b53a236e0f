/**
 * Reads the plain part of YAML: maps and lists by indentation, and values on one line. Refuses everything else by its
 * line, because a setting that is read other than it was meant is worse than one that is not read.
 */

export type ReadYaml =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly line: number; readonly reason: string }

interface Line {
  readonly at: number
  readonly indent: number
  readonly text: string
}

export function readPlainYaml(text: string): ReadYaml {
  const lines: Line[] = []
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const bare = raw.replace(/(?:^|\s)#.*$/, '').trimEnd()
    if (bare.trim() === '' || bare === '---') continue
    if (/^\s*\t/.test(bare)) return problem(index + 1, 'indents with a tab; use spaces')
    lines.push({ at: index + 1, indent: bare.length - bare.trimStart().length, text: bare.trim() })
  }
  if (lines.length === 0) return { kind: 'value', value: {} }
  try {
    const { value, next } = block(lines, 0, lines[0]?.indent ?? 0)
    const rest = lines[next]
    if (rest) throw new YamlProblem(rest.at, 'is indented less than the line before')
    return { kind: 'value', value }
  } catch (error) {
    if (error instanceof YamlProblem) return problem(error.at, error.message)
    throw error
  }
}

class YamlProblem extends Error {
  readonly at: number
  constructor(at: number, reason: string) {
    super(reason)
    this.at = at
  }
}

function block(lines: readonly Line[], from: number, indent: number): { value: unknown; next: number } {
  return lines[from]?.text.startsWith('- ') || lines[from]?.text === '-'
    ? list(lines, from, indent)
    : map(lines, from, indent)
}

function map(lines: readonly Line[], from: number, indent: number): { value: unknown; next: number } {
  const value: Record<string, unknown> = {}
  let next = from
  for (let line = lines[next]; line && line.indent === indent; line = lines[next]) {
    const found = /^(?<key>[A-Za-z_][\w-]*):(?:\s+(?<rest>.*))?$/.exec(line.text)?.groups
    if (!found?.['key']) throw new YamlProblem(line.at, 'is not of the form name: value')
    if (found['key'] in value) throw new YamlProblem(line.at, `says ${found['key']} a second time`)
    next += 1
    const below = lines[next]
    if (found['rest'] !== undefined && found['rest'] !== '')
      value[found['key']] = scalar(found['rest'], line.at)
    else if (below && below.indent > indent) {
      const inner = block(lines, next, below.indent)
      value[found['key']] = inner.value
      next = inner.next
    } else value[found['key']] = null
  }
  return { value, next: checked(lines, next, indent) }
}

function list(lines: readonly Line[], from: number, indent: number): { value: unknown; next: number } {
  const value: unknown[] = []
  let next = from
  for (
    let line = lines[next];
    line && line.indent === indent && /^-(?:\s|$)/.test(line.text);
    line = lines[next]
  ) {
    const rest = line.text.slice(1).trim()
    if (/^[A-Za-z_][\w-]*:(?:\s|$)/.test(rest)) {
      // A map that begins beside its dash: its other lines stand below the first name.
      const inside = line.indent + line.text.length - rest.length
      const inner = map(
        [...lines.slice(0, next), { ...line, indent: inside, text: rest }, ...lines.slice(next + 1)],
        next,
        inside,
      )
      value.push(inner.value)
      next = inner.next
    } else {
      value.push(scalar(rest, line.at))
      next += 1
    }
  }
  return { value, next: checked(lines, next, indent) }
}

function checked(lines: readonly Line[], next: number, indent: number): number {
  const line = lines[next]
  if (line && line.indent > indent) throw new YamlProblem(line.at, 'is indented too far')
  return next
}

function scalar(text: string, at: number): unknown {
  const quoted = /^"(?<double>[^"\\]*)"$|^'(?<single>[^']*)'$/.exec(text)?.groups
  if (quoted) return quoted['double'] ?? quoted['single'] ?? ''
  if (/^[[{&*!|>%@`"']/.test(text))
    throw new YamlProblem(at, 'is not plain YAML; write it on separate lines, or use JSON')
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null' || text === '~') return null
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}

function problem(line: number, reason: string): ReadYaml {
  return { kind: 'problem', line, reason }
}
