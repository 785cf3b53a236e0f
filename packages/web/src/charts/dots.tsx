/** Draws the last outcomes as dots, oldest first. A dot says by its shape what its colour says. */
import { classes } from '../kit/classes.ts'
import { PlainLink } from '../kit/link.tsx'

export interface Dot {
  readonly key: string
  readonly tone: 'ok' | 'bad' | 'waiting' | 'plain'
  /** Such as “done, 14 November, 08:00”. */
  /** Safe to draw: what came from outside has been through `forDisplay`. */
  readonly label: string
  /** Where the dot leads. */
  readonly to?: string | undefined
}

const shapes: Readonly<Record<Dot['tone'], string>> = {
  ok: 'rounded-full bg-ok',
  bad: 'rounded-none rotate-45 bg-bad',
  waiting: 'rounded-full border-2 border-t2',
  plain: 'rounded-full border border-edge',
}

export function Dots({ label, dots }: { label: string; dots: readonly Dot[] }) {
  return (
    <ol aria-label={label} className="flex flex-wrap items-center gap-1">
      {dots.map(({ key, tone, label: said, to }) => {
        const dot = <span aria-hidden className={classes('block size-2.5', shapes[tone])} />
        return (
          <li key={key} title={said} className="flex">
            {to === undefined ? (
              <>
                {dot}
                <span className="sr-only">{said}</span>
              </>
            ) : (
              <PlainLink to={to} className="rounded-full p-0.5">
                {dot}
                <span className="sr-only">{said}</span>
              </PlainLink>
            )}
          </li>
        )
      })}
    </ol>
  )
}
