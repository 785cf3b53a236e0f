/**
 * Brings one change to the server, on the state that it names and no other. What is as it was wanted already counts as
 * written, so that the same change can be made twice.
 */
import type { EntryChange, PushedEntry } from '@countersign/tools'
import { z } from 'zod'
import { type ServerAnswer, type ServerSession } from './server-session.ts'

const Changed = z.strictObject({ same: z.boolean(), shared: z.boolean() })
const largest = 300_000

export async function pushEntry(
  session: ServerSession,
  change: EntryChange,
  now: () => Date,
): Promise<PushedEntry> {
  if (change.etag === null) {
    const made = await changed(session, change, new Uint8Array(), now)
    if (made.kind === 'failed') return made
    const answer = await put(session, change, made.bytes, { 'if-none-match': '*' })
    if (answer.kind === 'failed' || answer.status !== 412) return writtenBy(answer)
  }
  const there = await session.ask({ method: 'GET', href: change.href })
  if (there.kind === 'failed') return there
  if (there.status === 404 || there.status === 410)
    return change.action === 'delete' ? { kind: 'written', etag: null } : { kind: 'moved' }
  if (there.status !== 200) return refused(there)
  if (there.body.length > largest) return { kind: 'failed', reason: 'The entry is too large to be changed.' }
  const made = await changed(session, change, there.body, now)
  if (made.kind === 'failed') return made
  if (made.same) return { kind: 'written', etag: there.etag }
  if (change.etag === null || there.etag === null || there.etag !== change.etag) return { kind: 'moved' }
  if (made.shared && !change.others) return { kind: 'shared' }
  const bound = { 'if-match': change.etag }
  if (change.action === 'delete' && change.recurrence === '') {
    const answer = await session.ask({ method: 'DELETE', href: change.href, headers: bound })
    if (answer.kind === 'answer' && (answer.status === 404 || answer.status === 410))
      return { kind: 'written', etag: null }
    return answer.kind === 'answer' && answer.status < 300
      ? { kind: 'written', etag: null }
      : writtenBy(answer)
  }
  return writtenBy(await put(session, change, made.bytes, bound))
}

async function changed(
  session: ServerSession,
  { kind, action, uid, recurrence, set, unset }: EntryChange,
  from: Uint8Array,
  now: () => Date,
) {
  const wish = { uid, recurrence, remove: action === 'delete', set, unset, at: now().toISOString() }
  const made = await session.documents.run(
    { job: { program: 'calendar', op: 'change', kind, ...wish }, form: Changed },
    from,
    session.signal,
  )
  if (made.kind === 'failed') return { kind: 'failed' as const, reason: made.reason.slice(0, 500) }
  const [bytes = new Uint8Array()] = made.files
  // A whole entry that is to go is there as long as it is there.
  const same = made.facts.same && !(action === 'delete' && recurrence === '')
  return { kind: 'made' as const, bytes, same, shared: made.facts.shared }
}

function put(
  session: ServerSession,
  { href, kind }: EntryChange,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
) {
  const type = kind === 'event' ? 'text/calendar; charset=utf-8' : 'text/vcard; charset=utf-8'
  return session.ask({ method: 'PUT', href, headers: { 'content-type': type, ...headers }, body })
}

function writtenBy(answer: ServerAnswer | { readonly kind: 'failed'; readonly reason: string }): PushedEntry {
  if (answer.kind === 'failed') return answer
  if (answer.status >= 200 && answer.status < 300) return { kind: 'written', etag: answer.etag }
  return answer.status === 412 ? { kind: 'moved' } : refused(answer)
}

function refused({ status }: ServerAnswer): PushedEntry {
  const why = status === 403 ? 'it does not let you write there' : `it answered ${status}`
  return { kind: 'failed', reason: `The server did not take the change: ${why}.` }
}
