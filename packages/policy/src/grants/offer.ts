/** Owns which grants a request may offer: those that would really answer such a call, by policy's own word. */
import type { PolicySet } from '../compile.ts'
import { decide } from '../decide.ts'
import type { CallFacts } from '../facts.ts'
import { type CoveredCall, coversAt, type Stop, stops } from './cover.ts'

const grantScopes = ['run', 'session', 'time'] as const
export type GrantScope = (typeof grantScopes)[number]

export interface GrantOffer {
  readonly scopes: readonly GrantScope[]
  /** For a rule. */
  readonly stops: readonly Stop[]
}

export interface OfferedCall {
  readonly call: CoveredCall
  readonly facts: Omit<CallFacts, 'granted'>
  /** The same call, made again by a run that has read the result of the first. */
  readonly again: Omit<CallFacts, 'granted'>
}

/**
 * A scope promises not to ask again inside of it, so it must answer the same call of the same run, which knows by then
 * what this one brought in. A rule promises less and says so: it answers runs that begin as this one did.
 */
export function offersOf({ call, facts, again }: OfferedCall, set: PolicySet): GrantOffer {
  const answers = (asked: Omit<CallFacts, 'granted'>) =>
    decide({ ...asked, granted: { id: 'offered' } }, set).grant !== undefined
  const nameable = stops.filter((stop) => coversAt(stop, call) !== null)
  if (nameable.length === 0 || !answers(facts)) return { scopes: [], stops: [] }
  return { scopes: answers(again) ? grantScopes : [], stops: nameable }
}
