/** Owns how a tier is named in the terminal: its number and its word, in its colour. */
import { type Tier, tierWord } from '@countersign/contract'
import type { Paint } from './colour.ts'

export function tierLabel(tier: Tier, paint: Paint): string {
  return paint(tier, `T${tier} ${tierWord[tier]}`)
}
