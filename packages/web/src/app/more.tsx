/** Owns the sheet behind More on a phone: every destination that has no place on the bar. */

import { Settings } from 'lucide-react'
import { useLocation } from '../environment/location.tsx'
import { Dialog, PlainLink } from '../kit/index.ts'
import { words } from '../words/frame.tsx'
import { destinationOf, destinations, groups, settings, thumbPaths } from './destinations.ts'

export default function More({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const rest = destinations.filter(({ path }) => !thumbPaths.includes(path))
  const link = 'row flex min-h-11 items-center gap-3 px-2'
  return (
    <Dialog open onClose={onClose} title={words.more} place="edge">
      {/* A link that was followed leads away from here. */}
      <nav aria-label={words.more} onClick={onClose}>
        {groups.map((group) => {
          const rows = rest.filter((each) => each.group === group)
          if (rows.length === 0) return null
          return (
            <section key={group} className="mt-2">
              <h3 className="px-2 font-normal text-ink-3">{words.groups[group]}</h3>
              {rows.map(({ path, title, icon: Icon }) => (
                <PlainLink
                  key={path}
                  to={path}
                  className={link}
                  {...(destinationOf(pathname)?.path === path ? { 'aria-current': 'page' as const } : {})}
                >
                  <Icon size={20} strokeWidth={1.6} aria-hidden />
                  {title}
                </PlainLink>
              ))}
            </section>
          )
        })}
        <PlainLink to={settings.path} className={`${link} mt-3`}>
          <Settings size={20} strokeWidth={1.6} aria-hidden />
          {settings.title}
        </PlainLink>
      </nav>
    </Dialog>
  )
}
