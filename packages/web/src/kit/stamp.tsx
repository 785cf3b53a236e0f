/** The mark: a stamp slightly turned. A sealed receipt carries it; nothing else does, save the name of the app. */
import { classes } from './classes.ts'

export function Stamp({ size = 22, className }: { size?: number; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden
      className={classes('shrink-0 text-act', className)}
    >
      <g transform="rotate(-9 12 12)" fill="none" stroke="currentColor">
        <circle cx="12" cy="12" r="10.6" strokeWidth="2" />
        <path d="M15.6 9.3a4.6 4.6 0 1 0 0 5.4" strokeWidth="2.3" strokeLinecap="round" />
      </g>
    </svg>
  )
}
