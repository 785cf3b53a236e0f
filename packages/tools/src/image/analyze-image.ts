/** Has a model that sees say what a picture of the workspace shows. What it says is worth what the picture is worth. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { findDocument } from '../documents/document-file.ts'
import { failed, succeeded } from '../result.ts'
import { commandText, pathText } from '../text.ts'
import { pictureFor, problemOf } from './made-pictures.ts'

const sides = { low: 512, auto: 1_536, high: 2_048 } as const
const Answer = z.strictObject({ answer: z.string().min(1).max(100_000) })

export const analyzeImage = defineTool({
  name: 'analyze_image',
  version: '1',
  description:
    'Say what a picture of the workspace shows, or answer a question about it, such as which text is on it. A model that sees is shown the picture, without place and camera data.',
  input: z.strictObject({
    image: pathText,
    question: commandText(2_000).exactOptional(),
    detail: z.enum(['low', 'auto', 'high']).default('auto'),
    maxTokens: z.int().min(50).max(8_000).default(1_000),
  }),
  category: 'image',
  group: 'image',
  tags: [
    'describe',
    'what is on the picture',
    'photo',
    'read text',
    'ocr',
    'vision',
    'look',
    'see',
    'screenshot',
  ],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  describe: ({ image, question }) =>
    question === undefined ? `Look at ${image}` : `Look at ${image}: ${question.slice(0, 80)}`,
  preview: ({ image, question = '' }) => ({
    kind: 'text',
    title: 'Look at a picture',
    text: `${image}\n${question}`,
  }),
  async effects({ image }, inspect) {
    const found = await findDocument(image, inspect)
    if (found.kind !== 'found') return found
    return { kind: 'found', resources: [found.resource], effects: [found.effect] }
  },
  async run({ image, question, detail, maxTokens }, capabilities, signal) {
    const shown = await pictureFor(capabilities, { path: image, format: 'jpeg', most: sides[detail] }, signal)
    if ('reason' in shown) return failed(shown.reason)
    const wish =
      question === undefined ? 'Say what the picture shows, with the text on it.' : JSON.stringify(question)
    const reply = await capabilities.models.work({
      kind: 'look',
      instruction: `Answer about the picture: ${wish} Say only what can be seen.`,
      images: [shown],
      form: {
        type: 'object',
        properties: { answer: { type: 'string' } },
        required: ['answer'],
        additionalProperties: false,
      },
      mostTokens: maxTokens,
    })
    if (reply.kind !== 'answer') return failed(problemOf(reply))
    const read = Answer.safeParse(reply.value)
    if (!read.success) return failed('The model did not answer in the form that was asked for. Ask again.')
    return succeeded(read.data.answer, `Looked at ${image}`)
  },
})
