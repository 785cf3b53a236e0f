/** The only way in which words of a model, a file or a gateway reach the terminal. */
import { forDisplay, type Tier, tierWord } from '@countersign/contract'
import type { Paint } from './colour.ts'

/** On one line: line breaks become visible escapes too. */
export function line(text: string): string {
  return forDisplay(text).text
}

/** Over several lines. */
export function lines(text: string): string {
  return forDisplay(text, { multiline: true }).text
}

export function tierLabel(tier: Tier, paint: Paint): string {
  return paint(tier, `T${tier} ${tierWord[tier]}`)
}
