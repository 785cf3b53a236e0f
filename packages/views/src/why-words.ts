/** The words of the chain from an effect back to a person, in every language. */
import type { Language } from '@countersign/contract'
import { germanWhy } from './german/why.ts'
import { englishWhy, type WhyWords } from './why-english.ts'

export type { WhyWords } from './why-english.ts'

export const whyWords: Readonly<Record<Language, WhyWords>> = { en: englishWhy, de: germanWhy }
