/**
 * Owns what a grant can be given for that still holds once untrusted content was read: a plain look at one host, and
 * the write of a plain document. Nothing that leaves with more than an address, runs, is obeyed or cannot be undone.
 */
import { bareLookOf, isBrief } from '../plain-look.ts'
import { documentIn, documentsOfProgram } from '../task-facts.ts'
import type { CallInTask } from '../task-so-far.ts'

/** A look tells the host what is in the address; to create changes nothing that was there; to change can be undone. */
export type GrantedAct = 'look' | 'create' | 'change'

/** Peers and webhooks are strangers themselves, and a reader is judged by its own rule. In doubt there is none. */
export function grantedActOf(call: Omit<CallInTask, 'label'>): GrantedAct | null {
  const { kind } = call.requester
  if (call.inReader || (kind !== 'operator' && kind !== 'schedule')) return null
  const look = bareLookOf(call)
  // The words of a search and of a query are a message, and strangers choose them.
  if (look) return look.search === null && isBrief(look.url) ? 'look' : null
  if (documentsOfProgram(call)) return 'create'
  const document = documentIn(call)
  if (!document) return null
  return document.identity === 'absent' ? 'create' : 'change'
}
