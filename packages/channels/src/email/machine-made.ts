/** Owns whether an e-mail was written by a program: an answer to one would be answered, and so on. Pure. */
import type { Letter } from './letter.ts'

const lists = ['list-id', 'list-post', 'list-unsubscribe', 'list-help', 'mailing-list']
const machines = ['x-autoreply', 'x-autorespond', 'x-auto-reply-from', 'x-failed-recipients', 'x-loop']
const nobody =
  /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|bounce[+-].*|notifications?|listserv|majordomo|.*-(?:bounces|request|owner))$/

export function isMachineMade({ from, headers }: Letter, own: string): boolean {
  const all = (key: string): readonly string[] => headers.get(key) ?? []
  const [local = ''] = from.address.split('@')
  return (
    from.address === own ||
    nobody.test(local) ||
    [...lists, ...machines].some((key) => headers.has(key)) ||
    all('auto-submitted').some((value) => !/^\s*no\s*(?:;|$)/i.test(value)) ||
    all('precedence').some((value) => /bulk|list|junk|auto/i.test(value)) ||
    all('x-auto-response-suppress').some((value) => !/^\s*none\s*$/i.test(value)) ||
    all('return-path').some((value) => /^\s*<\s*>\s*$/.test(value)) ||
    all('content-type').some((value) =>
      /multipart\/report|message\/(?:delivery|disposition|feedback)/i.test(value),
    )
  )
}
