/** A short word about a thing. Neutral, unless its meaning has a colour. */
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export type Tone = 'plain' | 'ok' | 'waiting' | 'bad' | 'act'

const tones: Readonly<Record<Tone, string>> = {
  plain: 'bg-well text-ink-2',
  ok: 'bg-t1-soft text-ok',
  waiting: 'bg-t2-soft text-t2',
  bad: 'bg-bad-soft text-bad',
  act: 'bg-act-soft text-act',
}

export function Chip({
  tone = 'plain',
  children,
  className,
}: {
  tone?: Tone | undefined
  children: ReactNode
  className?: string | undefined
}) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 rounded-[5px] px-1.5 text-small leading-5 font-medium whitespace-nowrap forced-colors:border',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
