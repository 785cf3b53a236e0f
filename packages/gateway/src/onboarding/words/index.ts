/** The words of the setup steps in every language. A language without them does not compile. */
import type { Language } from '@countersign/contract'
import { english, type SetupWords } from './english.ts'
import { german } from './german.ts'

export type { SetupWords } from './english.ts'

export const setupWords: Readonly<Record<Language, SetupWords>> = { en: english, de: german }
