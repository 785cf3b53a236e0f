/**
 * Owns what a server of the Model Context Protocol may ask the operator during a call, and what may come back. The words
 * are a stranger's. An answer is held to the form wherever it passes.
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

/** What the operator says to it. */
export const QuestionReply = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('accept'), values: ServerAnswers }),
  z.strictObject({ action: z.literal('decline') }),
  z.strictObject({ action: z.literal('cancel') }),
])
export type QuestionReply = z.infer<typeof QuestionReply>

/** How a question ended. */
export const QuestionEnd = z.enum(['accept', 'decline', 'cancel', 'withdrawn'])
export type QuestionEnd = z.infer<typeof QuestionEnd>

/** What a call under way tells of its server: a question for the operator, or one that was not taken, and why. */
export const ServerAsks = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('form'), form: ServerForm }),
  z.strictObject({ kind: z.literal('refused'), reason: z.string().max(500) }),
])
export type ServerAsks = z.infer<typeof ServerAsks>

export const ServerReply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('accepted'), values: ServerAnswers }),
  z.strictObject({ kind: z.enum(['declined', 'cancelled']), reason: z.string() }),
])
export type ServerReply = z.infer<typeof ServerReply>

/** Puts what a server asks before the operator, for the call of one permit. Never rejects. */
export type AskOperator = (asked: ServerAsks, signal: AbortSignal) => Promise<ServerReply>

/** What stands in the form before the operator has touched it. */
export function presetsOf({ fields: asked }: Pick<ServerForm, 'fields'>): ServerAnswers {
  return Object.fromEntries(
    asked.flatMap(({ name: key, preset }) => (preset === null ? [] : [[key, preset] as const])),
  )
}

/** What was answered there; a field may be called like what every object has. */
export function answerIn(values: ServerAnswers, name: string): FieldValue | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Says what is wrong with the answers; nothing where they fit the form. */
export function problemWithAnswers(form: ServerForm, values: ServerAnswers): string | undefined {
  const stray = Object.keys(values).find((key) => form.fields.every((field) => field.name !== key))
  if (stray !== undefined) return 'An answer names a field that the question does not have.'
  for (const field of form.fields) {
    const value = answerIn(values, field.name)
    const problem = value === undefined ? missing(field) : problemWith(field, value)
    if (problem !== undefined) return `${field.title || field.name}: ${problem}`
  }
  return undefined
}

function missing({ required }: ServerField): string | undefined {
  return required ? 'an answer is needed.' : undefined
}

function problemWith(field: ServerField, value: FieldValue): string | undefined {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? problemWithText(field, value) : 'a text is expected.'
    case 'number':
      return problemWithNumber(field, value)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'yes or no is expected.'
    case 'choice':
      return field.choices.some((each) => each.value === value) ? undefined : 'choose one of the list.'
    case 'choices':
      return problemWithChoices(field, value)
  }
}

function problemWithText(
  { format, least, most }: Extract<ServerField, { kind: 'text' }>,
  value: string,
): string | undefined {
  const { length } = Array.from(value)
  if (length < least) return `at least ${least} characters are expected.`
  if (length > most) return `at most ${most} characters are expected.`
  return format === null || isOfFormat[format](value) ? undefined : formatWords[format]
}

const isOfFormat: Readonly<Record<(typeof textFormats)[number], (value: string) => boolean>> = {
  email: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  uri: (value) => URL.canParse(value),
  date: (value) => z.iso.date().safeParse(value).success,
  'date-time': (value) => z.iso.datetime({ offset: true }).safeParse(value).success,
}

const formatWords: Readonly<Record<(typeof textFormats)[number], string>> = {
  email: 'an e-mail address is expected.',
  uri: 'an address such as https://example.com is expected.',
  date: 'a date such as 2026-11-30 is expected.',
  'date-time': 'a time such as 2026-11-30T18:00:00Z is expected.',
}

function problemWithNumber(
  { whole, least, most }: Extract<ServerField, { kind: 'number' }>,
  value: FieldValue,
): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'a number is expected.'
  if (whole && !Number.isSafeInteger(value)) return 'a whole number is expected.'
  if (least !== null && value < least) return `at least ${least} is expected.`
  return most !== null && value > most ? `at most ${most} is expected.` : undefined
}

function problemWithChoices(
  field: Extract<ServerField, { kind: 'choices' }>,
  value: FieldValue,
): string | undefined {
  if (!Array.isArray(value) || new Set(value).size !== value.length) return 'choose from the list.'
  if (!value.every((one) => field.choices.some((each) => each.value === one))) return 'choose from the list.'
  if (value.length < field.least) return `choose at least ${field.least}.`
  return value.length > field.most ? `choose at most ${field.most}.` : undefined
}
