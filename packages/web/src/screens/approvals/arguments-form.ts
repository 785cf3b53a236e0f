/** Owns the form of a call's arguments, made from the tool's schema. Pure: what is typed becomes canonical arguments or a problem. */
import { words } from '../../words/approvals.tsx'

export interface ArgumentField {
  readonly name: string
  readonly kind: 'text' | 'lines' | 'number' | 'flag' | 'choice' | 'json'
  readonly required: boolean
  readonly about: string
  readonly choices: readonly string[]
}

export type FormValues = Readonly<Record<string, string | boolean>>

export type FormResult =
  | { readonly kind: 'args'; readonly args: string }
  | { readonly kind: 'problem'; readonly name: string; readonly problem: string }

type Schema = Readonly<Record<string, unknown>>

export function fieldsOf(schema: Schema, args: Readonly<Record<string, unknown>>): readonly ArgumentField[] {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  const required = (schema['required'] ?? []) as readonly string[]
  const names = [...new Set([...Object.keys(properties), ...Object.keys(args)])]
  return names.map((name) => {
    const property = properties[name] ?? {}
    const choices = ((property['enum'] as readonly unknown[] | undefined) ?? []).filter(
      (choice): choice is string => typeof choice === 'string',
    )
    return {
      name,
      kind: kindOf(property, args[name], choices),
      required: required.includes(name),
      about: typeof property['description'] === 'string' ? property['description'] : '',
      choices,
    }
  })
}

export function formValuesOf(
  fields: readonly ArgumentField[],
  args: Readonly<Record<string, unknown>>,
): FormValues {
  return Object.fromEntries(
    fields.map(({ name, kind }): [string, string | boolean] => {
      const value = args[name]
      if (kind === 'flag') return [name, value === true]
      if (value === undefined) return [name, '']
      return [name, typeof value === 'string' ? value : JSON.stringify(value)]
    }),
  )
}

/** Fields that were absent and are still empty stay absent. */
export function argumentsOf(
  fields: readonly ArgumentField[],
  typed: FormValues,
  before: Readonly<Record<string, unknown>>,
): FormResult {
  const args: Record<string, unknown> = {}
  for (const field of fields) {
    const { name, kind, required } = field
    const value = typed[name] ?? ''
    if (kind === 'flag') {
      if (value === true || name in before || required) args[name] = value === true
      continue
    }
    const text = String(value)
    if (text === '' && !(name in before)) {
      if (required) return { kind: 'problem', name, problem: words.edit.required }
      continue
    }
    if (kind === 'number') {
      const number = Number(text)
      if (text.trim() === '' || !Number.isFinite(number))
        return { kind: 'problem', name, problem: words.edit.number }
      args[name] = number
    } else if (kind === 'json') {
      try {
        args[name] = JSON.parse(text) as unknown
      } catch {
        return { kind: 'problem', name, problem: words.edit.json }
      }
    } else args[name] = text
  }
  return { kind: 'args', args: JSON.stringify(args) }
}

function kindOf(property: Schema, value: unknown, choices: readonly string[]): ArgumentField['kind'] {
  if (choices.length > 0) return 'choice'
  const type = property['type'] ?? typeof value
  if (type === 'boolean') return 'flag'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'string')
    return typeof value === 'string' && (value.includes('\n') || value.length > 80) ? 'lines' : 'text'
  return 'json'
}
