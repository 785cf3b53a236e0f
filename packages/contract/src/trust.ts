/** Owns tiers, effect classes, autonomy levels and the labels that say where content came from. */
import { z } from 'zod'
import type { Language } from './language.ts'

/** T0 only looks, T1 can be undone, T2 crosses what was given, T3 is seen by others or permanent, T4 is critical. */
export const Tier = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
export type Tier = z.infer<typeof Tier>

/** What a tier is called wherever people read it. Its number stands in details only. */
export const tierNames = {
  en: ['Looks', 'Undoable', 'Crosses a boundary', 'Leaves your hands', 'Critical'],
  de: ['Schaut nur', 'Umkehrbar', 'Überschreitet eine Grenze', 'Geht aus deiner Hand', 'Kritisch'],
} as const satisfies Readonly<Record<Language, readonly string[]>>
export const tierName = tierNames.en

/** What a crash inside the effect means: pure and idempotent calls are retried, a once call never is. */
export const EffectClass = z.enum(['pure', 'idempotent', 'once'])
export type EffectClass = z.infer<typeof EffectClass>

export const Autonomy = z.enum(['none', 'low', 'medium', 'high', 'full'])
export type Autonomy = z.infer<typeof Autonomy>

/** Ordered from most to least trusted; joining two labels keeps the less trusted. */
export const integrityOrder = ['operator', 'paired', 'tool', 'untrusted'] as const
export const confidentialityOrder = ['public', 'private', 'secret'] as const

export const Label = z.strictObject({
  integrity: z.enum(integrityOrder),
  confidentiality: z.enum(confidentialityOrder),
  /** Where untrusted content came from, at most eight, for the card. */
  sources: z.array(z.string()).max(8),
})
export type Label = z.infer<typeof Label>

export const operatorLabel: Label = { integrity: 'operator', confidentiality: 'public', sources: [] }

/** Of words that the product itself wrote about what others made: they are nobody's order, the operator's least of all. */
export const noteLabel: Label = { integrity: 'tool', confidentiality: 'public', sources: [] }

/** A source of content from an e-mail of which nothing shows that its sender wrote it. */
export const unprovenMail = 'e-mail of an unproven sender'

/** The label of content made from both. Never more trusted, never less private than either. */
export function joinLabels(left: Label, right: Label): Label {
  const worse = <T extends string>(order: readonly T[], a: T, b: T): T =>
    order.indexOf(a) >= order.indexOf(b) ? a : b
  return {
    integrity: worse(integrityOrder, left.integrity, right.integrity),
    confidentiality: worse(confidentialityOrder, left.confidentiality, right.confidentiality),
    sources: [...new Set([...left.sources, ...right.sources])].toSorted(unprovenFirst).slice(0, 8),
  }
}

/** Policy knows it by this source, so it is never among those that are too many. */
function unprovenFirst(left: string, right: string): number {
  return Number(right === unprovenMail) - Number(left === unprovenMail)
}

/** Who a call is made for. The scope comes from the server's own records, never from a message. */
export const Requester = z.strictObject({
  kind: z.enum(['operator', 'peer', 'schedule', 'webhook']),
  /** Of a peer, the name of the channel and the id that the platform gave the person, with a slash between. */
  id: z.string(),
  /** Where the words came in, if it was a chat. */
  via: z.strictObject({ channel: z.string(), chat: z.string() }).exactOptional(),
})
export type Requester = z.infer<typeof Requester>
