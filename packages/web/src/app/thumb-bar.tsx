/** Owns the bar at the bottom of a phone: four destinations and the way to the others. */

import { Menu as MenuIcon } from 'lucide-react'
import { useWanted } from '../environment/location.tsx'
import { classes, PlainLink } from '../kit/index.ts'
import { words } from '../words/frame.tsx'
import { destinationOf, destinations, thumbPaths } from './destinations.ts'
import { WaitingBadge } from './rail.tsx'

const cell =
  'relative flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-small text-ink-2 aria-[current]:font-medium aria-[current]:text-ink'

export function ThumbBar({ onMore }: { onMore: () => void }) {
  const current = destinationOf(useWanted().pathname)
  const shown = thumbPaths.flatMap((path) => destinations.filter((each) => each.path === path))
  const elsewhere = current === undefined || !shown.includes(current)
  return (
    <nav
      aria-label={words.main}
      className="no-print fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-well pb-[env(safe-area-inset-bottom)] [@media(max-height:26rem)]:static"
    >
      {shown.map((destination) => {
        const { path, title, icon: Icon } = destination
        return (
          <PlainLink
            key={path}
            to={path}
            className={cell}
            {...(destination === current ? { 'aria-current': 'page' as const } : {})}
          >
            <Icon size={20} strokeWidth={destination === current ? 2 : 1.6} aria-hidden />
            {title}
            {path === '/approvals' ? <WaitingBadge className="absolute start-1/2 top-1 ms-2" /> : null}
          </PlainLink>
        )
      })}
      <button
        type="button"
        onClick={onMore}
        aria-haspopup="dialog"
        className={classes(cell, elsewhere && 'font-medium text-ink')}
      >
        <MenuIcon size={20} strokeWidth={1.6} aria-hidden />
        {words.more}
      </button>
    </nav>
  )
}
