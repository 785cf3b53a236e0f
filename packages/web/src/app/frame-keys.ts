/** Binds the keys that work on every screen. */

import { pendingInOrder } from '@countersign/contract'
import { useKeys } from '../environment/keys.tsx'
import { useGo } from '../environment/route.ts'
import { useServices } from '../environment/services.tsx'
import { useNotify } from '../kit/index.ts'
import { words } from '../words/frame.tsx'
import { frameKeys, goKeys } from './key-table.ts'
import type { Overlay } from './overlay.ts'
import { usePause } from './pause-button.tsx'

export function useFrameKeys({ show }: { show: (overlay: Overlay) => void }): void {
  const go = useGo()
  const notify = useNotify()
  const { live } = useServices()
  const { pause } = usePause()
  const openNewest = () => {
    const newest = pendingInOrder(live.get().state).toSorted((a, b) =>
      a.createdAt < b.createdAt ? 1 : -1,
    )[0]
    if (newest === undefined) notify({ text: words.keys.nothingWaits })
    else go(`/approvals/${newest.code}`)
  }
  const copyLink = () => {
    navigator.clipboard.writeText(window.location.href).then(
      () => notify({ text: words.keys.linkCopied }),
      () => notify({ text: words.keys.linkNotCopied, tone: 'bad' }),
    )
  }
  useKeys(words.keys.everywhere, [
    { ...frameKeys.palette, run: () => show('palette') },
    { ...frameKeys.help, run: () => show('help') },
    { ...frameKeys.pause, run: pause },
    { ...frameKeys.newest, run: openNewest },
    { ...frameKeys.copyLink, run: copyLink },
  ])
  useKeys(
    words.keys.goTo,
    goKeys.map((row) => ({ ...row, run: () => go(row.path) })),
  )
}
