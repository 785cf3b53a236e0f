/** Fills a form that the caller gives from a text. What does not fit the form is not given back. */
import type { JsonObject, JsonValue } from '@countersign/contract'
import { z } from 'zod'
import { parserOf, readParameters } from '../custom/parameters.ts'
import { succeeded } from '../result.ts'
import { brief } from '../utilities/computing.ts'
import { longestPiece } from './pieces.ts'
import { working } from './working.ts'

/** A form is filled once, so all of the text goes into one question. */
const longestSource = 5 * longestPiece

export const extractStructuredData = working({
  name: 'extract_structured_data',
  version: '1',
  description: 'Extract data from a text in the form of a JSON Schema of an object.',
  group: 'dataExtraction',
  tags: ['fields', 'json', 'schema', 'parse', 'form', 'invoice', 'order', 'details from a text'],
  input: z.strictObject({
    text: z.string().min(1).max(longestSource),
    schema: z.record(z.string(), z.json()),
  }),
  describe: ({ text }) => `Extract data from “${brief(text)}”`,
  problem({ schema }) {
    const read = readParameters(schema as JsonObject)
    return read.kind === 'refused' ? read.reason.replace(/^The parameters/, 'The schema') : null
  },
  async work({ text, schema }, ask) {
    const read = readParameters(schema as JsonObject)
    if (read.kind === 'refused') throw new TypeError(read.reason)
    const parse = parserOf(read.schema)
    const form = z.custom<JsonObject>().transform((value, context) => {
      const parsed = parse(value)
      if (parsed.kind === 'args') return parsed.args as JsonObject
      context.addIssue({ code: 'custom', message: parsed.problems.join('; ') })
      return z.NEVER
    })
    const value: JsonValue = await ask({
      instruction:
        'Fill in the form with what the text says. Take values from the text alone. Leave out what is not required and not in the text; never guess.',
      text,
      form,
      schema: read.schema,
    })
    return succeeded(JSON.stringify(value), `Extracted ${brief(JSON.stringify(value))}`)
  },
})
