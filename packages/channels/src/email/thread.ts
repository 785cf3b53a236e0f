/** Owns how an e-mail that is answered is remembered in the name of its thread: what it is called, and what about. Pure. */
import { lineOf, messageIdForm } from './letter.ts'

export interface Thread {
  readonly answers: string | null
  readonly subject: string
}

const longest = 290

export function threadName({
  messageId,
  subject,
}: {
  readonly messageId: string | null
  readonly subject: string
}): string {
  return `${messageId ?? '<>'} ${subject}`.slice(0, longest).toWellFormed()
}

/** Whatever it is given: nothing that ends a line, and no name that is none. */
export function readThread(name: string): Thread {
  const [, id = '', subject = ''] = /^(<[^<>\s]*>) ?([\s\S]*)$/.exec(name) ?? []
  return { answers: messageIdForm.test(id) ? id : null, subject: lineOf(subject) }
}
