/** The languages in which the gateway writes sentences for people, and which of them a reader gets. */
import { z } from 'zod'

export const Language = z.enum(['en', 'de'])
export type Language = z.infer<typeof Language>

/** The first language of an `Accept-Language` header that exists here; English if there is none. */
export function languageOf(accepted: string | undefined): Language {
  const wanted = (accepted ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.find((each) => each.trim().startsWith('q='))?.split('=')[1]
      return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((left, right) => right.weight - left.weight)
  for (const { language } of wanted) {
    const known = Language.safeParse(language)
    if (known.success) return known.data
  }
  return 'en'
}

export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** Making one takes as long as a hundred sentences. */
const formatters = new Map<
  Language,
  { readonly rules: Intl.PluralRules; readonly number: Intl.NumberFormat }
>()

/** `#` stands for the number: `plural('en', 3, { one: '# call', other: '# calls' })`. */
export function plural(language: Language, count: number, forms: PluralForms): string {
  const { rules, number } = formatters.get(language) ?? {
    rules: new Intl.PluralRules(language),
    number: new Intl.NumberFormat(language),
  }
  formatters.set(language, { rules, number })
  return (forms[rules.select(count)] ?? forms.other).replaceAll('#', number.format(count))
}

/**
 * What a translation of a catalogue must have: every key, and no other; a sentence takes what the English one takes.
 */
export type Translated<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Key in keyof T]: Translated<T[Key]> }
