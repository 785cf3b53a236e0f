/** Writes a parsed JSON value in its RFC 8785 form. Refuses what that form cannot hold. */

/** Undefined when the value holds a lone surrogate, a number that is not finite, or is nested too deeply. */
export function canonicalText(value: unknown): string | undefined {
  const out: string[] = []
  return write(value, out, 0) ? out.join('') : undefined
}

const deepest = 128

function write(value: unknown, out: string[], depth: number): boolean {
  if (depth > deepest) return false
  switch (typeof value) {
    case 'string':
      return writeString(value, out)
    case 'number':
      // String(-0) is "0": the line said "-0" and will differ.
      out.push(String(value))
      return Number.isFinite(value)
    case 'boolean':
      out.push(value ? 'true' : 'false')
      return true
    case 'object':
      if (value === null) {
        out.push('null')
        return true
      }
      return Array.isArray(value) ? writeArray(value, out, depth) : writeObject(value, out, depth)
    default:
      return false
  }
}

function writeString(value: string, out: string[]): boolean {
  out.push(JSON.stringify(value))
  return value.isWellFormed()
}

function writeArray(items: readonly unknown[], out: string[], depth: number): boolean {
  let separator = '['
  for (const item of items) {
    out.push(separator)
    if (!write(item, out, depth + 1)) return false
    separator = ','
  }
  out.push(items.length === 0 ? '[]' : ']')
  return true
}

function writeObject(value: object, out: string[], depth: number): boolean {
  // Strings compare by UTF-16 code units, which is the order RFC 8785 asks for.
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  let separator = '{'
  for (const [name, member] of members) {
    out.push(separator)
    if (!writeString(name, out)) return false
    out.push(':')
    if (!write(member, out, depth + 1)) return false
    separator = ','
  }
  out.push(members.length === 0 ? '{}' : '}')
  return true
}
