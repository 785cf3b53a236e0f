/** Finds who, where, when and what a text names. What does not stand in the text to the letter is left out. */
import { z } from 'zod'
import { succeeded } from '../result.ts'
import { brief } from '../utilities/computing.ts'
import { piecesOf } from './pieces.ts'
import { textInput, working } from './working.ts'

const kinds = [
  'person',
  'organization',
  'place',
  'date',
  'time',
  'money',
  'product',
  'event',
  'other',
] as const
const mostEntities = 500

export const extractEntities = working({
  name: 'extract_entities',
  version: '1',
  description: 'Extract the people, organizations, places, dates and other names in a text.',
  group: 'dataExtraction',
  tags: ['names', 'people', 'places', 'dates', 'entities', 'who is mentioned', 'companies'],
  input: z.strictObject({ text: textInput, types: z.array(z.enum(kinds)).min(1).optional() }),
  describe: ({ text }) => `Find names in “${brief(text)}”`,
  async work({ text, types = kinds }, ask) {
    const found = new Map<string, { type: string; text: string; count: number }>()
    for (const piece of piecesOf(text)) {
      const { entities } = await ask({
        instruction: `List what the text names of these types: ${types.join(', ')}. Each once, as it stands in the text, to the letter.`,
        text: piece,
        form: z.strictObject({
          entities: z
            .array(z.strictObject({ type: z.enum(kinds), text: z.string().min(1) }))
            .max(mostEntities),
        }),
      })
      for (const entity of entities)
        if (types.includes(entity.type) && piece.includes(entity.text))
          found.set(`${entity.type} ${entity.text}`, { ...entity, count: countIn(text, entity.text) })
    }
    const all = [...found.values()]
    return succeeded(JSON.stringify(all), `Found ${all.length} names`)
  },
})

function countIn(text: string, part: string): number {
  return text.split(part).length - 1
}
