/** Words that become part of a tool: of what it says, or of what is said about it. */
import type { Hop, HopContext } from '../hop.ts'

const make = ({ mark, words }: HopContext, code: string, description = 'Says something.') => [
  [
    {
      name: 'create_tool',
      args: {
        name: `made_${mark}`,
        description: description === '' ? words : description,
        parameters: { type: 'object', properties: {}, additionalProperties: false },
        code,
      },
    },
  ],
]

export const customToolHops: readonly Hop[] = [
  {
    name: 'a program that says it',
    kind: 'custom tool',
    begins: 'anew',
    put: (way) => make(way, `return ${JSON.stringify(way.words)}`),
    take: ({ mark }) => [[{ name: `made_${mark}`, args: {} }]],
  },
  {
    name: 'a program that is used by its wrapper',
    kind: 'custom tool',
    begins: 'anew',
    put: (way) => make(way, `return ${JSON.stringify(way.words)}`),
    take: ({ mark }) => [[{ name: 'use_tool', args: { tool: `made_${mark}`, args: {} } }]],
  },
  {
    name: 'the description of a program',
    kind: 'custom tool',
    begins: 'anew',
    put: (way) => make(way, 'return 1', ''),
    take: ({ mark }) => [[{ name: 'get_tool_help', args: { tool: `made_${mark}` } }]],
  },
]
