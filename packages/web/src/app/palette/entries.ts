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
import { useGrants, useSessions } from '../../data/queries.ts'
import { destinations, settings } from '../destinations.ts'
import type { Overlay } from '../frame.tsx'
import { frameKeys, goKeys } from '../keymap.ts'
import { useKeyScopes } from '../keys.tsx'
import { usePause } from '../pause-button.tsx'
import { useGo } from '../place.ts'
import { useLive, usePreferences, useServices } from '../services.tsx'
import { matchScore } from './match.ts'

export interface Entry {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly detail?: string
  readonly keys?: string
  readonly icon: LucideIcon
  readonly run: () => void
}

export const entryGroups = [
  'Approvals',
  'Go to',
  'On this screen',
  'Actions',
  'Conversations',
  'Runs',
  'Grants',
] as const

export function useEntries(onShow: (overlay: Overlay) => void): readonly Entry[] {
  const go = useGo()
  const { preferences } = useServices()
  const { theme } = usePreferences()
  const state = useLive((now) => now.state)
  const sessions = useSessions().data ?? []
  const grants = useGrants().data ?? []
  const { pause, resume } = usePause()
  const scopes = useKeyScopes()
  const screenKeys = scopes
    .filter(({ name, modal }) => !modal && name !== 'Everywhere' && name !== 'Go to')
    .flatMap(({ bindings }) => bindings)
  const titleOf = new Map(sessions.map(({ id, title }) => [id, title]))
  return [
    ...pendingInOrder(state).map(
      ({ id, code, card }): Entry => ({
        id,
        group: 'Approvals',
        label: card.headline,
        detail: `${code} · T${card.tier}`,
        icon: Inbox,
        run: () => go(`/approvals/${code}`),
      }),
    ),
    ...destinations.map(
      ({ path, title, icon }, index): Entry => ({
        id: path,
        group: 'Go to',
        label: title,
        icon,
        keys: goKeys[index]?.keys ?? '',
        run: () => go(path),
      }),
    ),
    { id: 'settings', group: 'Go to', label: settings.title, icon: Settings, run: () => go(settings.path) },
    ...screenKeys.map(
      ({ keys, label, run }): Entry => ({
        id: `key ${keys}`,
        group: 'On this screen',
        label,
        keys,
        icon: Zap,
        run,
      }),
    ),
    state.paused === null
      ? {
          id: 'pause',
          group: 'Actions',
          label: frameKeys.pause.label,
          keys: frameKeys.pause.keys,
          icon: Pause,
          run: pause,
        }
      : { id: 'resume', group: 'Actions', label: 'Resume everything', icon: Play, run: resume },
    {
      id: 'help',
      group: 'Actions',
      label: frameKeys.help.label,
      keys: frameKeys.help.keys,
      icon: Keyboard,
      run: () => onShow('help'),
    },
    {
      id: 'theme',
      group: 'Actions',
      label: theme === 'dark' ? 'Use the light theme' : 'Use the dark theme',
      icon: Contrast,
      run: () => preferences.set({ theme: theme === 'dark' ? 'light' : 'dark' }),
    },
    ...sessions.slice(0, 200).map(
      ({ id, title }): Entry => ({
        id,
        group: 'Conversations',
        label: title === '' ? 'Untitled' : title,
        icon: MessageSquareText,
        run: () => go(`/chat/${id}`),
      }),
    ),
    ...recentRuns(state)
      .slice(0, 100)
      .map(
        (run): Entry => ({
          id: run.id,
          group: 'Runs',
          label: titleOf.get(run.session) || run.text.slice(0, 80) || run.id,
          detail: runStatus(state, run),
          icon: Activity,
          run: () => go(`/activity/${run.id}`),
        }),
      ),
    ...grants
      .filter((grant) => grant.state === 'active')
      .map(
        ({ id, sentence }): Entry => ({
          id,
          group: 'Grants',
          label: sentence,
          icon: KeyRound,
          run: () => go(`/policy/grants/${id}`),
        }),
      ),
  ]
}

/** The best of each group, groups in their order; without a query only a few of each. */
export function foundEntries(entries: readonly Entry[], query: string): readonly Entry[] {
  const isAsked = query.trim() !== ''
  const scored = entries
    .map((entry) => ({ entry, score: matchScore(query, `${entry.label} ${entry.detail ?? ''}`) }))
    .filter(({ score }) => score > 0)
  const best = (group: string) =>
    scored
      .filter(({ entry }) => entry.group === group)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, isAsked ? 8 : group === 'Go to' ? 20 : 4)
  const groups = entryGroups
    .map((group) => ({ group, rows: best(group) }))
    .filter(({ rows }) => rows.length > 0)
  const ordered = isAsked
    ? groups.toSorted((a, b) => (b.rows[0]?.score ?? 0) - (a.rows[0]?.score ?? 0))
    : groups
  return ordered.flatMap(({ rows }) => rows.map(({ entry }) => entry))
}
