/** Shows a share of a whole, with its figures in words beside it. */
import { classes } from './classes.ts'

export function Meter({
  label,
  value,
  of,
  words,
  isLimit = true,
}: {
  label: string
  value: number
  of: number
  words: string
  /** The whole is a limit, and reaching it is bad. */
  isLimit?: boolean
}) {
  const share = of <= 0 ? (value > 0 ? 1 : 0) : Math.min(1, value / of)
  const full = isLimit && of > 0 && value >= of
  return (
    <div>
      <div className="flex justify-between gap-3 text-small">
        <span className="text-ink-2">{label}</span>
        <span className={classes('whitespace-nowrap', full && 'font-medium text-bad')}>{words}</span>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={words}
        className="mt-1 h-1.5 overflow-hidden rounded-full bg-line forced-colors:border"
      >
        <div
          className={classes('h-full rounded-full forced-colors:bg-[Highlight]', full ? 'bg-bad' : 'bg-act')}
          style={{ inlineSize: `${share * 100}%` }}
        />
      </div>
    </div>
  )
}
