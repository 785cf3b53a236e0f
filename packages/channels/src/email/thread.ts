/**
 * Owns the name of a thread of e-mails, which is one conversation: the e-mail that it began with, and what it is about. It
 * holds all that an answer needs to stand in it. Pure.
 */
import { lineOf, messageIdForm } from './letter.ts'

export interface Thread {
  readonly answers: string | null
  readonly subject: string
}

const longest = 290

export function threadName({
  root,
  subject,
}: {
  readonly root: string | null
  readonly subject: string
}): string {
  const about = subject.replace(/^(?:(?:re|aw|sv|odg)\s*:\s*)+/i, '')
  return `${root ?? '<>'} ${about}`.slice(0, longest).toWellFormed()
}

/** Whatever it is given: nothing that ends a line, and no name that is none. */
export function readThread(name: string): Thread {
  const [, id = '', subject = ''] = /^(<[^<>\s]*>) ?([\s\S]*)$/.exec(name) ?? []
  return { answers: messageIdForm.test(id) ? id : null, subject: lineOf(subject) }
}
