/** Owns what the palette offers: places, actions, and the things that are there now. */

import { pendingInOrder, recentRuns, runStatus } from '@countersign/contract'
import { Activity, Inbox, KeyRound, MessageSquareText, Settings, Zap } from 'lucide-react'
import { useKeyScopes } from '../../environment/keys.tsx'
import { useGrants, useSessions } from '../../environment/queries.ts'
import { useGo } from '../../environment/route.ts'
import { useLive } from '../../environment/services.tsx'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/frame.tsx'
import { destinations, settings } from '../destinations.ts'
import { goKeys } from '../key-table.ts'
import type { Overlay } from '../overlay.ts'
import { useActions } from './actions.ts'
import { useAsk } from './ask.ts'
import { foundEntries, type PaletteEntry } from './entry.ts'
import { useThings } from './things.ts'

/** What is found, and at the end what was typed as a message. */
export function usePaletteEntries(
  query: string,
  onShow: (overlay: Overlay) => void,
): { readonly found: readonly PaletteEntry[]; readonly ask: readonly PaletteEntry[] } {
  const all = [usePlaces(), useScreenKeys(), useActions(onShow), useRecent(), useThings(query)]
  return { found: foundEntries(all.flat(), query), ask: useAsk(query) }
}

function usePlaces(): readonly PaletteEntry[] {
  const go = useGo()
  return [
    ...destinations.map(
      ({ path, title, icon }, index): PaletteEntry => ({
        id: path,
        group: 'goTo',
        label: title,
        icon,
        keys: goKeys[index]?.keys ?? '',
        run: () => go(path),
      }),
    ),
    { id: 'settings', group: 'goTo', label: settings.title, icon: Settings, run: () => go(settings.path) },
  ]
}

/** What the screen behind the palette does by a key. */
function useScreenKeys(): readonly PaletteEntry[] {
  return useKeyScopes()
    .filter(({ name, modal }) => !modal && name !== words.keys.everywhere && name !== words.keys.goTo)
    .flatMap(({ bindings }) => bindings)
    .map(({ keys, label, run }) => ({ id: `key ${keys}`, group: 'screen', label, keys, icon: Zap, run }))
}

/** What waits, was said, was done and is allowed, as this page knows it already. */
function useRecent(): readonly PaletteEntry[] {
  const go = useGo()
  const state = useLive((now) => now.state)
  const sessions = useSessions().data ?? []
  const grants = useGrants().data ?? []
  const titleOf = new Map(sessions.map(({ id, title }) => [id, title]))
  return [
    ...pendingInOrder(state).map(
      ({ id, code, card }): PaletteEntry => ({
        id,
        group: 'approvals',
        label: card.headline,
        detail: `${code} · ${common.tier.names[card.tier]}`,
        icon: Inbox,
        run: () => go(`/approvals/${code}`),
      }),
    ),
    ...sessions.slice(0, 200).map(
      ({ id, title }): PaletteEntry => ({
        id,
        group: 'conversations',
        label: title === '' ? common.untitled : title,
        icon: MessageSquareText,
        run: () => go(`/chat/${id}`),
      }),
    ),
    ...recentRuns(state)
      .slice(0, 100)
      .map(
        (run): PaletteEntry => ({
          id: run.id,
          group: 'runs',
          label: titleOf.get(run.session) || run.text.slice(0, 80) || run.id,
          detail: common.runState[runStatus(state, run)],
          icon: Activity,
          run: () => go(`/activity/${run.id}`),
        }),
      ),
    ...grants
      .filter((grant) => grant.state === 'active')
      .map(
        ({ id, sentence }): PaletteEntry => ({
          id,
          group: 'grants',
          label: sentence,
          icon: KeyRound,
          run: () => go(`/policy/grants/${id}`),
        }),
      ),
  ]
}
