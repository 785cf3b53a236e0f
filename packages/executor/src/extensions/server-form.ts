/**
 * Owns how a question of a server becomes a form that may be shown: the flat form of the protocol and nothing else, bounded,
 * with nothing hidden in its words. Refuses what asks for a secret, speaks in our name, or leads to an address.
 */
import {
  forDisplay,
  presetsOf,
  problemWithAnswers,
  questionBounds,
  type ServerAsks,
  type ServerField,
  ServerForm,
  textFormats,
} from '@countersign/contract'
import { z } from 'zod'
import { asksForSecret, wantsSecret } from './secret-words.ts'

/** Of the whole question as it is sent. */
const longestQuestion = 32_768

const words = { title: z.string().optional(), description: z.string().optional() }
const titled = z.array(z.strictObject({ const: z.string(), title: z.string() }))
const enumerated = { enum: z.array(z.string()), enumNames: z.array(z.string()).optional() }

/** The primitive fields of the protocol. What else a field may say is not known here, and so not shown. */
const AskedField = z.union([
  z.strictObject({ type: z.literal('string'), ...words, ...enumerated, default: z.string().optional() }),
  z.strictObject({ type: z.literal('string'), ...words, oneOf: titled, default: z.string().optional() }),
  z.strictObject({
    type: z.literal('array'),
    ...words,
    minItems: z.int().min(0).optional(),
    maxItems: z.int().min(0).optional(),
    items: z.union([
      z.strictObject({ type: z.literal('string'), enum: z.array(z.string()) }),
      z.strictObject({ anyOf: titled }),
    ]),
    default: z.array(z.string()).optional(),
  }),
  z.strictObject({ type: z.literal('boolean'), ...words, default: z.boolean().optional() }),
  z.strictObject({
    type: z.literal('string'),
    ...words,
    minLength: z.int().min(0).optional(),
    maxLength: z.int().min(0).optional(),
    /** Read by the server and nobody else: an expression of a stranger is not run. */
    pattern: z.string().optional(),
    format: z.enum(textFormats).optional(),
    default: z.string().optional(),
  }),
  z.strictObject({
    type: z.enum(['number', 'integer']),
    ...words,
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
])
type AskedField = z.infer<typeof AskedField>

const AskedForm = z.looseObject({
  mode: z.literal('form').optional(),
  message: z.string(),
  requestedSchema: z.strictObject({
    $schema: z.string().optional(),
    type: z.literal('object'),
    properties: z.record(z.string(), z.record(z.string(), z.unknown())),
    required: z.array(z.string()).optional(),
    additionalProperties: z.literal(false).optional(),
  }),
})

/** What is asked, or why it is not shown, as the end of “A question of the server was not shown: ”. */
export function readServerForm(params: unknown): ServerAsks {
  const text = JSON.stringify(params ?? null)
  if (text.length > longestQuestion) return refused('it is longer than a question may be.')
  if ((params as { mode?: unknown } | null)?.mode === 'url')
    return refused('it leads to an address. Only forms are shown.')
  const read = AskedForm.safeParse(params)
  if (!read.success) return refused('it is not a form of the protocol.')
  const { message, requestedSchema } = read.data
  const asked = Object.entries(requestedSchema.properties)
  // Also of a form that cannot be shown, so that it is said what it was after.
  const secret = asked.some(([name, schema]) => isSecret(name, schema))
  if (secret || (asked.length > 0 && wantsSecret(message)))
    return refused('it seems to ask for a password, a token, a key, a code or a card number.')
  const known = asked.map(([name, schema]) => ({ name, schema: AskedField.safeParse(schema) }))
  if (known.some(({ schema }) => !schema.success))
    return refused('it has a field that is not of the protocol.')
  const required = new Set(requestedSchema.required)
  const fields = known.flatMap(({ name, schema }) =>
    schema.success ? [fieldOf(name, schema.data, required.has(name))] : [],
  )
  return shownForm({ message: shown(message), fields })
}

/** Held to its bounds as it is shown: what is written out to be seen counts. */
function shownForm(made: ServerForm): ServerAsks {
  const { message, fields } = made
  const texts = [message, ...fields.flatMap(textsOf)]
  if (texts.some((text) => text.split('\n').length > questionBounds.lines))
    return refused('it has more lines than a question may have.')
  if (texts.some((text) => forDisplay(text, { multiline: true }).flags.includes('homoglyph')))
    return refused('it has letters that only look like others.')
  if (texts.some((text) => /counter\s*sign/i.test(text)))
    return refused('it speaks in the name of Countersign.')
  const form = ServerForm.safeParse(made)
  if (!form.success) return refused('it is larger than a question may be.')
  const lost = fields.some((field) => 'choices' in field && hasTwins(field.choices))
  const wrong = problemWithAnswers(
    { message, fields: fields.map((field) => ({ ...field, required: false })) },
    presetsOf(made),
  )
  if (lost || wrong !== undefined) return refused('its fields contradict themselves.')
  return { kind: 'form', form: form.data }
}

/** Two that look the same could not be told apart by whoever chooses. */
function hasTwins(choices: readonly { readonly value: string; readonly label: string }[]): boolean {
  return (
    new Set(choices.map(({ value }) => value)).size !== choices.length ||
    new Set(choices.map(({ label }) => label)).size !== choices.length
  )
}

function textsOf(field: ServerField): readonly string[] {
  const labels = 'choices' in field ? field.choices.map(({ label }) => label) : []
  return [shown(field.name), field.title, field.description, ...labels]
}

/** By all that it says of itself, known or not. */
function isSecret(name: string, schema: Readonly<Record<string, unknown>>): boolean {
  const { title, description, format } = schema
  return (
    schema['writeOnly'] === true ||
    [name, title, description, format].some((text) => typeof text === 'string' && asksForSecret(text))
  )
}

function fieldOf(name: string, schema: AskedField, required: boolean): ServerField {
  const common = {
    name,
    title: shownLine(schema.title ?? ''),
    description: shown(schema.description ?? ''),
    required,
  }
  if (schema.type === 'boolean') return { kind: 'boolean', ...common, preset: schema.default ?? null }
  if (schema.type === 'array') {
    const { items, minItems: least = 0, default: preset = null } = schema
    const listed = 'enum' in items ? listedValues(items.enum) : listedTitles(items.anyOf)
    return {
      kind: 'choices',
      ...common,
      choices: listed,
      least,
      most: schema.maxItems ?? listed.length,
      preset,
    }
  }
  if ('oneOf' in schema)
    return { kind: 'choice', ...common, choices: listedTitles(schema.oneOf), preset: schema.default ?? null }
  if ('enum' in schema) {
    const { enum: values, enumNames, default: preset = null } = schema
    return { kind: 'choice', ...common, choices: listedValues(values, enumNames), preset }
  }
  if (schema.type === 'string') {
    const { format = null, minLength: least = 0, default: preset = null } = schema
    const most = Math.min(schema.maxLength ?? questionBounds.answer, questionBounds.answer)
    return { kind: 'text', ...common, format, least, most, preset }
  }
  const { type, minimum: least = null, maximum: most = null, default: preset = null } = schema
  return { kind: 'number', ...common, whole: type === 'integer', least, most, preset }
}

function listedValues(values: readonly string[], names: readonly string[] = []) {
  return values.map((value, at) => ({ value, label: shownLine(names[at] ?? value) }))
}

function listedTitles(items: readonly { readonly const: string; readonly title: string }[]) {
  return items.map(({ const: value, title }) => ({ value, label: shownLine(title) }))
}

/** What would hide, reorder or overwrite is written out. */
function shown(text: string): string {
  return forDisplay(text.replaceAll('\r\n', '\n').trim(), { multiline: true }).text
}

function shownLine(text: string): string {
  return forDisplay(text.trim()).text
}

function refused(reason: string): ServerAsks {
  return { kind: 'refused', reason }
}
