/** Owns how many: a number with the form of its noun that the language asks for. */
import { formats } from './current.ts'

export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** `#` stands for the number: `plural(3, { one: '# call', other: '# calls' })`. */
export function plural(count: number, forms: Forms): string {
  const form = forms[formats().plural().select(count)] ?? forms.other
  return form.replaceAll('#', numberWords(count))
}

export function numberWords(count: number): string {
  return formats().number().format(count)
}

/** `a, b and c`. */
export function listWords(parts: readonly string[]): string {
  return formats().list().format(parts)
}
