/** Owns how a question of a server stands on a terminal, and how what is typed becomes an answer to it. */
import {
  answerIn,
  type FieldValue,
  problemWithAnswers,
  type ServerAnswers,
  type ServerField,
  type ServerQuestion,
} from '@countersign/contract'
import { line, lines } from './output/safe-text.ts'

/** Behind a bar, so that no line of a server can pass for one of ours. */
export function barred(text: string): string {
  return text
    .split('\n')
    .map((each) => `  │ ${each}`)
    .join('\n')
}

export function serverQuestionText({ server, tool, form }: ServerQuestion): string {
  return [
    `? The server ${line(server)} asks you, for ${line(tool)}. These are a stranger's words: give it no password, code or key.`,
    barred(lines(form.message)),
    ...form.fields.map((field) => barred(`· ${fieldText(field)}`)),
  ].join('\n')
}

/** What a field is called and takes, on one line. */
export function fieldText(field: ServerField): string {
  const about = field.description === '' ? '' : `: ${line(field.description)}`
  return `${nameOf(field)}${about} (${takes(field)}${field.required ? '' : ', may be left out'})`
}

export function nameOf({ title, name }: ServerField): string {
  return line(title === '' ? name : title)
}

function takes(field: ServerField): string {
  switch (field.kind) {
    case 'text':
      return field.format ?? 'text'
    case 'number':
      return field.whole ? 'whole number' : 'number'
    case 'boolean':
      return 'yes or no'
    case 'choice':
      return `one of ${choicesText(field.choices)}`
    case 'choices':
      return `some of ${choicesText(field.choices)}, with commas between`
  }
}

function choicesText(choices: readonly { readonly label: string }[]): string {
  return choices.map(({ label }, at) => `${at + 1} ${line(label)}`).join(' / ')
}

/** What stands in a field before anything is typed. */
export function presetText(field: ServerField): string | undefined {
  const { preset } = field
  if (preset === null) return undefined
  if (typeof preset === 'boolean') return preset ? 'yes' : 'no'
  if ('choices' in field)
    return [preset]
      .flat()
      .map((value) => line(field.choices.find((each) => each.value === value)?.label ?? ''))
      .join(', ')
  return line(String(preset))
}

export type ReadAnswer =
  | { readonly kind: 'value'; readonly value: FieldValue | undefined }
  | { readonly kind: 'problem'; readonly problem: string }

/** Nothing typed means what stands there, or nothing. */
export function readAnswer(field: ServerField, typed: string): ReadAnswer {
  const text = typed.trim()
  const value = text === '' ? (field.preset ?? undefined) : valueOf(field, text)
  const one = { message: '-', fields: [field] }
  const problem = problemWithAnswers(one, value === undefined ? {} : { [field.name]: value })
  return problem === undefined ? { kind: 'value', value } : { kind: 'problem', problem: line(problem) }
}

function valueOf(field: ServerField, text: string): FieldValue {
  switch (field.kind) {
    case 'text':
      return text
    case 'number':
      return Number(text.replace(',', '.'))
    case 'boolean':
      return /^(?:y|yes|true|j|ja)$/i.test(text) ? true : /^(?:n|no|false|nein)$/i.test(text) ? false : text
    case 'choice':
      return chosen(field.choices, text)
    case 'choices':
      return text.split(',').map((each) => chosen(field.choices, each.trim()))
  }
}

/** By its number, its label, or its value. */
function chosen(
  choices: readonly { readonly value: string; readonly label: string }[],
  text: string,
): string {
  const byName = choices.find(({ value, label }) => value === text || label === text)
  const byNumber = /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined
  return (byName ?? byNumber)?.value ?? text
}

export function answersText(fields: readonly ServerField[], values: ServerAnswers): string {
  return fields
    .map((field) => {
      const value = answerIn(values, field.name)
      return barred(`${nameOf(field)}: ${value === undefined ? '-' : line(String(value))}`)
    })
    .join('\n')
}
