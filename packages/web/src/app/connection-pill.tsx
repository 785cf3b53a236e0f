/** Shows how live the page is, in words and with a dot. A lost connection can be tried again here. */

import type { Link } from '../data/link.ts'
import { linkWords } from '../data/link.ts'
import { useLive, useServices } from '../environment/services.tsx'
import { classes } from '../kit/index.ts'
import { words } from '../words/frame.tsx'

const dots: Readonly<Record<Link['kind'], string>> = {
  connecting: 'bg-ink-3',
  live: 'bg-ok',
  reconnecting: 'bg-t2',
  offline: 'bg-bad',
  clock: 'bg-bad',
  refused: 'bg-bad',
}

export function ConnectionPill() {
  const { live } = useServices()
  const link = useLive((now) => now.link)
  const { word, detail } = linkWords(link)
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span aria-hidden className={classes('dot size-[7px] shrink-0 rounded-full', dots[link.kind])} />
      <span className="whitespace-nowrap">
        {word}
        {detail === '' ? null : <span className="text-ink-3"> · {detail}</span>}
      </span>
      {link.kind === 'offline' ? (
        <button
          type="button"
          className="target rounded-1 px-1.5 font-medium text-act"
          onClick={() => live.nudge()}
        >
          {words.link.tryNow}
        </button>
      ) : null}
    </span>
  )
}
