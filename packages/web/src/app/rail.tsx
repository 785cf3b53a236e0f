/** Owns the rail: the name, the destinations in their groups, and who is here. */

import { openQuestions } from '@countersign/contract'
import { useWanted } from '../environment/location.tsx'
import { useProfile } from '../environment/queries.ts'
import { useLive, useServices } from '../environment/services.tsx'
import { classes, PlainLink, Safe, Stamp } from '../kit/index.ts'
import { words } from '../words/frame.tsx'
import { type Destination, destinationOf, destinations, groups, settings } from './destinations.ts'

export function Rail() {
  const { pathname } = useWanted()
  const current = destinationOf(pathname)
  return (
    <nav aria-label={words.main} className="row-span-2 flex min-h-0 flex-col border-e border-line bg-well">
      <div className="flex items-center gap-2.5 h-12 px-4.5">
        <Stamp />
        <span className="text-[0.9375rem] font-bold tracking-[-0.01em]">Countersign</span>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2.5 pb-2">
        {groups.map((group) => (
          <div key={group}>
            <h2
              id={`group-${group}`}
              className="px-2 pt-3 pb-0.5 text-small font-normal tracking-normal text-ink-3"
            >
              {words.groups[group]}
            </h2>
            <ul aria-labelledby={`group-${group}`}>
              {destinations
                .filter((destination) => destination.group === group)
                .map((destination) => (
                  <li key={destination.path}>
                    <RailLink destination={destination} isCurrent={destination === current} />
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
      <Person isCurrent={pathname.startsWith(settings.path)} />
    </nav>
  )
}

/** Who is here: the person where they gave a name, otherwise the browser. Settings are behind it. */
function Person({ isCurrent }: { isCurrent: boolean }) {
  const { thisDevice } = useServices()
  const name = useProfile().data?.profile.name ?? thisDevice.name
  return (
    <PlainLink
      to={settings.path}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      className="row m-2.5 flex items-center gap-2.5 px-2 py-1.5"
    >
      <span
        aria-hidden
        className="grid size-6 place-items-center rounded-full border border-line-strong bg-sheet text-small font-medium text-ink-2"
      >
        {initialOf(name)}
      </span>
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block truncate text-small">
          <Safe text={name} />
        </span>
        <span className="block text-small text-ink-3">{settings.title}</span>
      </span>
    </PlainLink>
  )
}

const initialOf = (name: string): string => /^\p{L}/u.exec(name)?.[0].toUpperCase() ?? 'C'

function RailLink({ destination, isCurrent }: { destination: Destination; isCurrent: boolean }) {
  const { path, title, icon: Icon } = destination
  return (
    <PlainLink
      to={path}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      className={classes(
        'row flex items-center gap-2.5 px-2 py-[5px] leading-[1.375rem] [@media(max-height:50rem)]:py-[2px]',
        isCurrent ? 'font-medium text-ink' : 'text-ink-2 hover:text-ink',
      )}
    >
      <Icon size={16} strokeWidth={isCurrent ? 2 : 1.6} aria-hidden className="shrink-0" />
      {title}
      {path === '/approvals' ? <WaitingBadge /> : null}
    </PlainLink>
  )
}

/** How many wait for this person. Nothing is shown where nothing waits. */
export function WaitingBadge({ className }: { className?: string }) {
  const waiting = useWaiting()
  if (waiting === 0) return null
  return (
    <span
      className={classes(
        'ms-auto rounded-full bg-t3-soft px-1.5 text-small leading-5 font-medium text-t3 forced-colors:border',
        className,
      )}
    >
      {waiting > 99 ? '99+' : waiting}
      <span className="sr-only"> {words.waiting}</span>
    </span>
  )
}

export const useWaiting = (): number =>
  useLive(({ state }) => Object.keys(state.approvals).length + openQuestions(state).length)
