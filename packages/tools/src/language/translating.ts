/** Owns what the two tools that translate have in common: which languages are meant, and how a translation is asked for. */
import { z } from 'zod'
import { nameText } from '../text.ts'
import { languageNamed, unknownLanguage } from './languages.ts'

export const languageInput = nameText(40)

interface Languages {
  readonly targetLanguage: string
  readonly sourceLanguage?: string | undefined
}

export function languageProblem({ targetLanguage, sourceLanguage }: Languages): string | null {
  const unknown = [targetLanguage, ...(sourceLanguage === undefined ? [] : [sourceLanguage])].find(
    (text) => !languageNamed(text),
  )
  return unknown === undefined ? null : unknownLanguage(unknown)
}

export function translationOrder({ targetLanguage, sourceLanguage }: Languages): string {
  const from = sourceLanguage === undefined ? '' : ` from ${nameOf(sourceLanguage)}`
  return `Translate${from} into ${nameOf(targetLanguage)}. Keep the meaning, the tone, the lines, the Markdown, names, numbers and addresses. Add nothing and leave nothing out.`
}

export function nameOf(text: string): string {
  return languageNamed(text)?.name ?? text
}

export const Translation = z.strictObject({ translation: z.string() })
