/** The words of notifications in every language. A language without them does not compile. */
import type { Language } from '@countersign/contract'
import { english, type PushWords } from './english.ts'
import { german } from './german.ts'

export type { PushWords } from './english.ts'

export const pushWords: Readonly<Record<Language, PushWords>> = { en: english, de: german }
