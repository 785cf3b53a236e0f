/** Owns how a person agrees to what changes this host: a word that is typed, or `--yes`. Enter alone agrees to nothing. */
import { createInterface } from 'node:readline/promises'
import type { Context } from './context.ts'

export type ConsentAnswer = 'given' | 'withheld' | 'nobody-to-ask'

/** Shows the plan only where somebody can read it before answering. */
export async function consentTo(
  context: Context,
  { plan, question, word }: { readonly plan: string; readonly question: string; readonly word: string },
): Promise<ConsentAnswer> {
  if (context.flags.yes) return 'given'
  if (!context.interactive) return 'nobody-to-ask'
  context.say(`${plan}\n`)
  return (await typedLine(context, question)) === word ? 'given' : 'withheld'
}

/** What is typed, without what stands around it. */
async function typedLine({ host }: Context, question: string): Promise<string> {
  const reader = createInterface({ input: host.input, output: host.output })
  try {
    return (await reader.question(question)).trim()
  } finally {
    reader.close()
  }
}
