/** Owns what an answer to a question of a server must be: it is held to the form wherever it passes. */
import { z } from 'zod'
import type { FieldValue, ServerAnswers, ServerField, ServerForm, textFormats } from './server-question.ts'

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
