/** Owns how a tier is named in the terminal: by its name in its colour, with its number in details. */
import { type Tier, tierName } from '@countersign/contract'
import type { Paint } from './colour.ts'

export function tierLabel(tier: Tier, paint: Paint): string {
  return paint(tier, tierName[tier])
}

export function tierDetail(tier: Tier, paint: Paint): string {
  return paint(tier, `T${tier} ${tierName[tier]}`)
}
