/** The mark: a stamp slightly turned, a tick above the line on which one signs. A sealed receipt carries it; nothing else does, save the name of the app. */
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
        <rect x="2.6" y="2.6" width="18.8" height="18.8" rx="5" strokeWidth="2" />
        <path d="M7.4 10.6l3.2 3.2 6-6.6" strokeWidth="2.3" strokeLinecap="round" strokeLinejoin="round" />
        <path d="M7.4 17.4h9.2" strokeWidth="2" strokeLinecap="round" />
      </g>
    </svg>
  )
}
