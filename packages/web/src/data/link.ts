/** Owns the state of the connection and the words for it. Pure. */

import type { LiveView } from '@countersign/contract/client'
import { words } from '../words/frame.tsx'

export type Link =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** `behind` is 0 as long as it is not known how far the log is. */
  | { readonly kind: 'reconnecting'; readonly behind: number }
  | { readonly kind: 'offline'; readonly reason: string }
  /** The clocks differ, so that nothing that is asked here is believed. */
  | { readonly kind: 'clock'; readonly reason: string }
  /** The gateway no longer knows this device. */
  | { readonly kind: 'refused'; readonly reason: string }

export function linkOf(view: Pick<LiveView, 'phase' | 'behind' | 'loaded' | 'problem'>): Link {
  if (view.problem?.code === 'not_authenticated') return { kind: 'refused', reason: view.problem.message }
  if (view.problem?.code === 'clock_wrong') return { kind: 'clock', reason: view.problem.message }
  if (view.phase === 'live') return { kind: 'live' }
  if (view.phase === 'offline')
    return { kind: 'offline', reason: view.problem?.message ?? words.link.noAnswer }
  if (!view.loaded && view.problem === null) return { kind: 'connecting' }
  return { kind: 'reconnecting', behind: view.behind }
}

export function linkWords(link: Link): { readonly word: string; readonly detail: string } {
  switch (link.kind) {
    case 'connecting':
      return { word: words.link.connecting, detail: '' }
    case 'live':
      return { word: words.link.live, detail: '' }
    case 'reconnecting':
      return {
        word: words.link.reconnecting,
        detail: link.behind === 0 ? '' : words.link.behind(link.behind),
      }
    case 'offline':
      return { word: words.link.offline, detail: '' }
    case 'clock':
      return { word: words.link.clock, detail: '' }
    case 'refused':
      return { word: words.link.refused, detail: '' }
  }
}
