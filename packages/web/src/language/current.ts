/**
 * Owns the language that the page speaks. It is set once, before the rest of the app is loaded: a catalogue takes its
 * words when its file is evaluated, so that whoever imports it has plain strings.
 */

import { createFormats, type Formats } from './formats.ts'

/** What a translation brings: the catalogues by their names. */
export type Catalogues = Readonly<Record<string, unknown>>

export interface Language {
  /** For numbers and dates: `de-AT`. */
  readonly locale: string
  /** Empty for English, in which the app is written. */
  readonly catalogues: Catalogues
}

let current: Language & { readonly formats: Formats } = spoken({ locale: 'en', catalogues: {} })

export function speak(language: Language): void {
  current = spoken(language)
}

function spoken(language: Language) {
  return { ...language, formats: createFormats(language.locale) }
}

export const locale = (): string => current.locale

/** Numbers, dates and plurals as the language of the page writes them. */
export const formats = (): Formats => current.formats

/** The words of a catalogue in the language of the page. */
export function inLanguage<T>(name: string, english: T): T {
  return (current.catalogues[name] as T | undefined) ?? english
}

/** What a translation of a catalogue must have: every key, and no other; a sentence takes what the English one takes. */
export type Translation<T> = T extends string
  ? string
  : T extends (...given: infer Given) => infer Sentence
    ? (...given: Given) => Sentence extends string ? string : Sentence
    : { readonly [Key in keyof T]: Translation<T[Key]> }
