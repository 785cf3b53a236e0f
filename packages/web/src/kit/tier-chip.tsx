/** Shows a tier: its name in its colour, its number and meaning for whoever points at it. Never the colour alone. */

import type { Tier } from '@countersign/contract'
import { words } from '../words/common.ts'
import { classes } from './classes.ts'

const tierStyles: Readonly<Record<Tier, string>> = {
  0: 'bg-t0-soft text-t0',
  1: 'bg-t1-soft text-t1',
  2: 'bg-t2-soft text-t2',
  3: 'bg-t3-soft text-t3',
  4: 'bg-t4-soft text-t4',
}

export function TierChip({ tier, className }: { tier: Tier; className?: string | undefined }) {
  return (
    <span
      title={`T${tier}: ${words.tier.meanings[tier]}`}
      className={classes(
        'inline-flex items-center rounded-[5px] px-1.5 text-small leading-5 font-medium whitespace-nowrap',
        'forced-colors:border',
        tierStyles[tier],
        className,
      )}
    >
      <span className="sr-only">{words.tier.spoken} </span>
      {words.tier.names[tier]}
    </span>
  )
}
