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
    const found = new Map<string, { type: string; text: string }>()
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
          found.set(`${entity.type} ${entity.text}`, entity)
    }
    const all = [...found.values()].slice(0, mostEntities)
    const counts = new Map<string, number>()
    for (const entity of all)
      if (!counts.has(entity.text)) counts.set(entity.text, countIn(text, entity.text))
    const told = JSON.stringify(all.map((entity) => ({ ...entity, count: counts.get(entity.text) })))
    const isCut = all.length < found.size
    return succeeded(
      isCut
        ? `${told}\n[There are more names than ${mostEntities}. Ask for fewer types, or a part of the text.]`
        : told,
      `Found ${isCut ? 'more than ' : ''}${all.length} names`,
    )
  },
})

function countIn(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1
  return count
}
