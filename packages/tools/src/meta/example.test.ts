import { expect, test } from 'vitest'
import { toFacts } from '../definition.ts'
import { builtinTools } from '../index.ts'
import { exampleOf } from './example.ts'

test('an example has what is required, in the shape that it must have', () => {
  expect(
    exampleOf({
      type: 'object',
      properties: {
        title: { type: 'string' },
        url: { type: 'string' },
        count: { type: 'integer', minimum: 5 },
        mode: { enum: ['fast', 'slow'] },
        tags: { type: 'array', items: { type: 'string' } },
        left: { type: 'boolean' },
      },
      required: ['title', 'url', 'count', 'mode', 'tags'],
    }),
  ).toEqual({ title: '<title>', url: 'https://example.org/', count: 5, mode: 'fast', tags: ['<tags>'] })
})

test('every built-in tool has an example with all that its schema requires and nothing that it does not know', () => {
  for (const definition of builtinTools) {
    const { name, schema } = toFacts(definition)
    const { required = [], properties = {} } = schema as { required?: string[]; properties?: object }
    expect(Object.keys(exampleOf(schema)).toSorted(), name).toEqual(
      Object.keys(properties)
        .filter((part) => required.includes(part))
        .toSorted(),
    )
  }
})
