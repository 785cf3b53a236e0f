/**
 * Owns the name of a thread of e-mails, which is one conversation: the e-mail that it began with, and what it is about. It
 * holds all that an answer needs to stand in it. Pure.
 */
import { type Letter, lineOf, messageIdForm } from './letter.ts'
import type { SenderProof } from './sender-proof.ts'

export interface Thread {
  readonly answers: string | null
  readonly subject: string
}

const longest = 290
export const longestSubject = 150
/** What programs for mail and their servers put before a subject. */
const prefixes =
  /^(?:\s*(?:\[[^\]]{1,30}\]\s*)?(?:re|aw|sv|odg|antw|ri?|res|rif|vs|odp|ynt|回复|答复|回覆)(?:\[\d{1,3}\])?\s*[:：])+\s*/iu

/**
 * Whoever passes an e-mail on can write into it what was not signed. Such lines put it into no conversation that is there:
 * what is said in one answers what was asked in it.
 */
export function threadName(
  { answers, messageId, subject }: Pick<Letter, 'answers' | 'messageId' | 'subject'>,
  { id, signed }: Pick<SenderProof, 'id' | 'signed'>,
): string {
  const about = subject.replace(prefixes, '').slice(0, longestSubject).trim()
  const isPlaced = signed.includes('references') && signed.includes('in-reply-to')
  if (answers !== null && isPlaced) return named(answers, about)
  return messageId !== null && signed.includes('message-id')
    ? named(messageId, about)
    : named(`${messageId ?? '<>'}${id}`, about)
}

const named = (root: string, about: string): string => `${root} ${about}`.slice(0, longest).toWellFormed()

/** Whatever it is given: nothing that ends a line, and no name that is none. */
export function readThread(name: string): Thread {
  const [, id = '', subject = ''] = /^(<[^<>\s]*>)\S* ?([\s\S]*)$/.exec(name) ?? []
  return { answers: messageIdForm.test(id) ? id : null, subject: lineOf(subject) }
}
