/** Owns the bar: how live the page is, what was spent today, search, and the way to stop everything. */

import { Search } from 'lucide-react'
import { useSpentToday, useStatus } from '../environment/queries.ts'
import { Button, PlainLink, Safe } from '../kit/index.ts'
import { moneyWords } from '../language/format.ts'
import { words } from '../words/frame.tsx'
import { ConnectionPill } from './connection-pill.tsx'
import { frameKeys } from './key-table.ts'
import type { Overlay } from './overlay.ts'
import { PauseButton } from './pause-button.tsx'

export function Bar({ onShow }: { onShow: (overlay: Overlay) => void }) {
  return (
    <header className="sticky top-0 z-20 flex h-12 shrink-0 items-center gap-2 border-b border-line bg-paper px-4 text-small text-ink-2 md:static md:gap-3.5 md:px-5 [@media(max-height:26rem)]:static">
      <ConnectionPill />
      <span className="flex-1" />
      <Spending />
      <Button variant="quiet" icon={Search} keys={frameKeys.palette.keys} onClick={() => onShow('palette')}>
        {words.bar.search}
      </Button>
      <PauseButton />
    </header>
  )
}

function Spending() {
  const spent = useSpentToday()
  const status = useStatus()
  return (
    <span className="hidden items-center gap-3.5 lg:flex">
      {status.data?.model.ok !== true ? null : (
        <span className="max-w-[24ch] truncate text-ink-3">
          <span className="sr-only">{words.bar.model} </span>
          <Safe text={status.data.model.model} />
        </span>
      )}
      {spent.data === undefined ? null : (
        <PlainLink to="/costs" className="text-ink-2 hover:text-ink hover:underline">
          <bdi>
            {spent.data.limitUsd === null
              ? words.bar.today(moneyWords(spent.data.usd))
              : words.bar.todayOf(moneyWords(spent.data.usd), moneyWords(spent.data.limitUsd))}
          </bdi>
        </PlainLink>
      )}
    </span>
  )
}
