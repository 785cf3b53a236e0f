/** Owns the state of the connection and the words for it. Pure. */
import type { LiveView } from '@countersign/contract/client'
import { numberWords } from '../language/plural.ts'

export type Link =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** `behind` is 0 as long as it is not known how far the log is. */
  | { readonly kind: 'reconnecting'; readonly behind: number }
  | { readonly kind: 'offline'; readonly reason: string }
  /** The gateway no longer knows this device. */
  | { readonly kind: 'refused'; readonly reason: string }

export function linkOf(view: Pick<LiveView, 'phase' | 'behind' | 'loaded' | 'problem'>): Link {
  if (view.problem?.code === 'not_authenticated') return { kind: 'refused', reason: view.problem.message }
  if (view.phase === 'live') return { kind: 'live' }
  if (view.phase === 'offline')
    return { kind: 'offline', reason: view.problem?.message ?? 'The gateway does not answer.' }
  if (!view.loaded && view.problem === null) return { kind: 'connecting' }
  return { kind: 'reconnecting', behind: view.behind }
}

export function linkWords(link: Link, seq: number): { readonly word: string; readonly detail: string } {
  switch (link.kind) {
    case 'connecting':
      return { word: 'Connecting…', detail: '' }
    case 'live':
      return { word: 'Live', detail: `seq ${numberWords(seq)}` }
    case 'reconnecting':
      return {
        word: 'Reconnecting…',
        detail:
          link.behind === 0
            ? ''
            : `${numberWords(link.behind)} ${link.behind === 1 ? 'event' : 'events'} behind`,
      }
    case 'offline':
      return { word: 'Offline', detail: seq > 0 ? `as of seq ${numberWords(seq)}` : '' }
    case 'refused':
      return { word: 'Signed out', detail: '' }
  }
}
