/** Owns which grants a request may offer: those that would really answer such a call, by policy's own word. */
import type { PolicySet } from '../compile.ts'
import type { CoveringGrant } from '../facts.ts'
import { type BareFacts, judgeGranted } from '../judge.ts'
import { type CoveredCall, coversAt, type Stop, stops, widestUntrusted } from './cover.ts'

const grantScopes = ['run', 'session', 'time'] as const
export type GrantScope = (typeof grantScopes)[number]

export interface GrantOffer {
  readonly scopes: readonly GrantScope[]
  /** For a rule. */
  readonly stops: readonly Stop[]
  /** For a rule that holds after untrusted content was read as well, and whether one for the run can. */
  readonly untrusted: { readonly run: boolean; readonly stops: readonly Stop[] }
}

export const noOffer: GrantOffer = { scopes: [], stops: [], untrusted: { run: false, stops: [] } }

export interface OfferedCall {
  readonly call: CoveredCall
  readonly facts: BareFacts
  /** The same call, made again by a run that has read the result of the first. */
  readonly again: BareFacts
}

/**
 * A scope promises not to ask again inside of it, so it must answer the same call of the same run, which knows by then
 * what this one brought in. A rule promises less and says so: it answers runs that begin as this one did. What holds
 * after untrusted content was read is offered apart, since it says something else: for the run a look only, which
 * changes nothing.
 */
export function offersOf({ call, facts, again }: OfferedCall, set: PolicySet): GrantOffer {
  const isAnswer = (grant: CoveringGrant, asked: BareFacts) =>
    judgeGranted(asked, grant, set).grant !== undefined
  const nameable = stops.filter((stop) => coversAt(stop, call) !== null)
  if (nameable.length === 0) return noOffer
  const own = { id: 'offered' }
  const open = { id: 'offered', untrusted: true }
  const isOwn = isAnswer(own, facts)
  const afterwards = [facts, again].find(({ foreseen }) => (foreseen ?? null) !== null)
  const isOpen = afterwards !== undefined && [facts, afterwards].every((asked) => isAnswer(open, asked))
  const scopes = isOwn && isAnswer(own, again) ? grantScopes : []
  return {
    scopes,
    stops: isOwn ? nameable : [],
    untrusted: {
      run: isOpen && scopes.length === 0 && facts.act === 'look',
      stops: isOpen ? nameable.filter((stop) => stops.indexOf(stop) <= stops.indexOf(widestUntrusted)) : [],
    },
  }
}
