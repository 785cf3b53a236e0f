/** Owns how a person agrees to what changes this host: a word that is typed, or `--yes`. Enter alone agrees to nothing. */
import { asking } from './asking/asking.ts'
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
  const asked = await (await asking(context)).text({ message: question, instead: 'Add --yes.' })
  return asked.kind === 'answered' && asked.value === word ? 'given' : 'withheld'
}
