/**
 * Owns what a server of the Model Context Protocol may ask the operator during a call, and what may come back. The words
 * are a stranger's.
 */
import { z } from 'zod'

/** How much of everything a question has. What is larger is refused and not cut: a part could mean something else. */
export const questionBounds = {
  fields: 12,
  message: 2_000,
  /** Of the message, and of each description. */
  lines: 20,
  name: 64,
  title: 120,
  description: 600,
  choices: 40,
  choice: 120,
  answer: 2_000,
} as const

const { answer, choice, choices, description, fields, message, name, title } = questionBounds

const common = {
  /** By which the server tells its fields apart; shown where it gave no title. */
  name: z
    .string()
    .max(name)
    .regex(/^(?!__proto__$)./su),
  title: z.string().max(title),
  description: z.string().max(description),
  required: z.boolean(),
}

const listed = z
  .array(z.strictObject({ value: z.string().max(choice), label: z.string().max(choice) }))
  .min(1)
  .max(choices)

export const textFormats = ['email', 'uri', 'date', 'date-time'] as const

export const ServerField = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('text'),
    ...common,
    format: z.enum(textFormats).nullable(),
    least: z.int().min(0).max(answer),
    most: z.int().min(0).max(answer),
    preset: z.string().max(answer).nullable(),
  }),
  z.strictObject({
    kind: z.literal('number'),
    ...common,
    whole: z.boolean(),
    least: z.number().nullable(),
    most: z.number().nullable(),
    preset: z.number().nullable(),
  }),
  z.strictObject({ kind: z.literal('boolean'), ...common, preset: z.boolean().nullable() }),
  z.strictObject({ kind: z.literal('choice'), ...common, choices: listed, preset: z.string().nullable() }),
  z.strictObject({
    kind: z.literal('choices'),
    ...common,
    choices: listed,
    least: z.int().min(0),
    most: z.int().min(0),
    preset: z.array(z.string()).max(choices).nullable(),
  }),
])
export type ServerField = z.infer<typeof ServerField>

export const ServerForm = z.strictObject({
  message: z.string().min(1).max(message),
  fields: z.array(ServerField).max(fields),
})
export type ServerForm = z.infer<typeof ServerForm>

/** A question as it stands before the operator: whose it is says the permit of its call. */
export const ServerQuestion = z.strictObject({ server: z.string(), tool: z.string(), form: ServerForm })
export type ServerQuestion = z.infer<typeof ServerQuestion>

export const FieldValue = z.union([
  z.string().max(answer),
  z.number(),
  z.boolean(),
  z.array(z.string().max(choice)).max(choices),
])
export type FieldValue = z.infer<typeof FieldValue>

export const ServerAnswers = z.record(z.string().max(name), FieldValue)
export type ServerAnswers = z.infer<typeof ServerAnswers>

/** How a question ended. */
export const QuestionEnd = z.enum(['accept', 'decline', 'cancel', 'withdrawn'])
export type QuestionEnd = z.infer<typeof QuestionEnd>
