/** Owns what the palette offers: places, actions, and the things that are there now. */

import { pendingInOrder, recentRuns, runStatus } from '@countersign/contract'
import {
  Activity,
  Contrast,
  Inbox,
  Keyboard,
  KeyRound,
  type LucideIcon,
  MessageSquareText,
  Pause,
  Play,
  Settings,
  Zap,
} from 'lucide-react'
import { useKeyScopes } from '../../environment/keys.tsx'
import { useGrants, useSessions } from '../../environment/queries.ts'
import { useGo } from '../../environment/route.ts'
import { useLive, usePreferences, useServices } from '../../environment/services.tsx'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/frame.tsx'
import { destinations, settings } from '../destinations.ts'
import { frameKeys, goKeys } from '../key-table.ts'
import type { Overlay } from '../overlay.ts'
import { usePause } from '../pause-button.tsx'
import { matchScore } from './match.ts'

export interface PaletteEntry {
  readonly id: string
  readonly group: PaletteGroup
  readonly label: string
  readonly detail?: string
  readonly keys?: string
  readonly icon: LucideIcon
  readonly run: () => void
}

export const entryGroups = [
  'approvals',
  'goTo',
  'screen',
  'actions',
  'conversations',
  'runs',
  'grants',
] as const

export type PaletteGroup = (typeof entryGroups)[number]

export function usePaletteEntries(onShow: (overlay: Overlay) => void): readonly PaletteEntry[] {
  const go = useGo()
  const { preferences } = useServices()
  const { theme } = usePreferences()
  const state = useLive((now) => now.state)
  const sessions = useSessions().data ?? []
  const grants = useGrants().data ?? []
  const { pause, resume } = usePause()
  const scopes = useKeyScopes()
  const screenKeys = scopes
    .filter(({ name, modal }) => !modal && name !== words.keys.everywhere && name !== words.keys.goTo)
    .flatMap(({ bindings }) => bindings)
  const titleOf = new Map(sessions.map(({ id, title }) => [id, title]))
  return [
    ...pendingInOrder(state).map(
      ({ id, code, card }): PaletteEntry => ({
        id,
        group: 'approvals',
        label: card.headline,
        detail: `${code} · T${card.tier}`,
        icon: Inbox,
        run: () => go(`/approvals/${code}`),
      }),
    ),
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
    ...screenKeys.map(
      ({ keys, label, run }): PaletteEntry => ({
        id: `key ${keys}`,
        group: 'screen',
        label,
        keys,
        icon: Zap,
        run,
      }),
    ),
    state.paused === null
      ? {
          id: 'pause',
          group: 'actions',
          label: frameKeys.pause.label,
          keys: frameKeys.pause.keys,
          icon: Pause,
          run: pause,
        }
      : { id: 'resume', group: 'actions', label: words.palette.resume, icon: Play, run: resume },
    {
      id: 'help',
      group: 'actions',
      label: frameKeys.help.label,
      keys: frameKeys.help.keys,
      icon: Keyboard,
      run: () => onShow('help'),
    },
    {
      id: 'theme',
      group: 'actions',
      label: theme === 'dark' ? words.palette.light : words.palette.dark,
      icon: Contrast,
      run: () => preferences.set({ theme: theme === 'dark' ? 'light' : 'dark' }),
    },
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

/** The best of each group, groups in their order; without a query only a few of each. */
export function foundEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const isAsked = query.trim() !== ''
  const scored = entries
    .map((entry) => ({ entry, score: matchScore(query, `${entry.label} ${entry.detail ?? ''}`) }))
    .filter(({ score }) => score > 0)
  const best = (group: PaletteGroup) =>
    scored
      .filter(({ entry }) => entry.group === group)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, isAsked ? 8 : group === 'goTo' ? 20 : 4)
  const groups = entryGroups
    .map((group) => ({ group, rows: best(group) }))
    .filter(({ rows }) => rows.length > 0)
  const ordered = isAsked
    ? groups.toSorted((a, b) => (b.rows[0]?.score ?? 0) - (a.rows[0]?.score ?? 0))
    : groups
  return ordered.flatMap(({ rows }) => rows.map(({ entry }) => entry))
}
