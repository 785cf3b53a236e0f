/** Owns the short messages at the edge of the page: receipts and failures. Each is said to readers too, and stays a while. */

import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { useAnnounce } from '../environment/announcer.tsx'
import { words } from '../words/common.ts'
import { classes } from './classes.ts'
import { useIsNarrow } from './narrow.ts'
import { Stamp } from './stamp.tsx'

export interface Notice {
  readonly text: string
  readonly tone?: 'plain' | 'bad' | undefined
  /** A sealed receipt carries the mark. */
  readonly sealed?: boolean | undefined
  readonly action?: { readonly label: string; readonly run: () => void }
}

const Notify = createContext<(notice: Notice) => void>(() => undefined)

const Shown = createContext<ReactNode>(null)

export const useNotify = (): ((notice: Notice) => void) => useContext(Notify)

/** Long enough to read; one with something to do stays until it is closed. */
const staysMs = 8_000

export function Notices({ children }: { children: ReactNode }) {
  const announce = useAnnounce()
  const next = useRef(0)
  const [shown, setShown] = useState<readonly (Notice & { readonly id: number })[]>([])
  const close = useCallback((id: number) => setShown((all) => all.filter((each) => each.id !== id)), [])
  const notify = useCallback(
    (notice: Notice) => {
      next.current += 1
      const id = next.current
      setShown((all) => [...all.slice(-2), { ...notice, id }])
      announce(notice.text, notice.tone === 'bad' ? 'urgent' : 'polite')
      if (notice.action === undefined) window.setTimeout(() => close(id), staysMs)
    },
    [announce, close],
  )
  const list = useMemo(
    () => shown.map((notice) => <Card key={notice.id} notice={notice} onClose={() => close(notice.id)} />),
    [shown, close],
  )
  const narrow = useIsNarrow()
  return (
    <Notify value={notify}>
      <Shown value={list}>{children}</Shown>
      {narrow ? null : (
        <div
          role="region"
          aria-label={words.messages}
          className="no-print pointer-events-none fixed start-[21rem] end-[22rem] top-1 z-30 flex flex-col items-center gap-2 max-lg:start-[19rem] max-lg:end-[17rem]"
        >
          {list}
        </div>
      )}
    </Notify>
  )
}

/** On a phone messages have room of their own under the bar; elsewhere they stand in the empty middle of the bar. */
export function NoticeRoom() {
  const list = useContext(Shown)
  return (
    <div
      role="region"
      aria-label={words.messages}
      className="no-print sticky top-12 z-20 flex flex-col gap-2 bg-paper px-3 not-empty:py-2"
    >
      {list}
    </div>
  )
}

function Card({ notice, onClose }: { notice: Notice; onClose: () => void }) {
  return (
    <div
      className={classes(
        'appear pointer-events-auto flex max-w-md items-start gap-3 rounded-2 border bg-sheet py-1.5 ps-4 pe-2 shadow-2',
        notice.tone === 'bad' ? 'border-bad' : 'border-line',
      )}
    >
      {notice.sealed === true ? <Stamp size={20} className="mt-px" /> : null}
      <p className="min-w-0 flex-1">{notice.text}</p>
      {notice.action === undefined ? null : (
        <button
          type="button"
          className="target rounded-1 px-2 font-medium text-act"
          onClick={notice.action.run}
        >
          {notice.action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={words.closeMessage}
        className="target inline-flex items-center justify-center rounded-1 text-ink-3 hover:bg-ink/5"
        onClick={onClose}
      >
        <X size={16} aria-hidden />
      </button>
    </div>
  )
}
