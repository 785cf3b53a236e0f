/** Writes JSON for people or for machines. Refuses JSON that two readers could take differently. */
import { type JsonValue, parseStrict } from '@countersign/contract'
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, computing, refuse } from './computing.ts'

export const formatJson = computing({
  name: 'format_json',
  version: '1',
  description: 'Pretty-print or minify JSON, and say where it is wrong.',
  group: 'conversion',
  tags: ['pretty print', 'minify', 'indent', 'beautify', 'validate json', 'sort keys', 'readable', 'tidy'],
  input: z.strictObject({
    json: text,
    indent: z.int().min(0).max(4).default(2).describe('0 minifies'),
    sortKeys: z.boolean().default(false),
  }),
  describe: ({ indent }) => (indent === 0 ? 'Minify JSON' : 'Format JSON'),
  compute({ json, indent, sortKeys }) {
    const parsed = parseStrict(json)
    if (parsed.kind === 'refused')
      return refuse(
        `The JSON is not valid: ${parsed.reason.replaceAll('-', ' ')} at character ${parsed.position + 1}.`,
      )
    return answer(JSON.stringify(sortKeys ? sorted(parsed.value) : parsed.value, null, indent))
  },
})

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key] ?? null)]),
  )
}
