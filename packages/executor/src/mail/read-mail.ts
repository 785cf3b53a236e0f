/** Fetches e-mails from a server as bytes, and has them parsed by the program in the sandbox. Parses none itself. */
import { Buffer } from 'node:buffer'
import {
  type EmailPlace,
  type Failure,
  forThoseShown,
  type ListedMail,
  MailAttachment,
  MailContent,
  type MailFile,
  type MailHead,
  MailHeads,
  type MailListing,
  mailLimits,
  type SenderCheck,
  unchecked,
} from '@countersign/tools'
import type { FetchMessageObject, ImapFlow, SearchObject } from 'imapflow'
import type { DocumentPrograms } from '../documents/document-programs.ts'
import type { SenderChecks } from './check-sender.ts'
import { gone, openAt } from './folders.ts'
import { largestMail, type SessionParts, withImap } from './imap-session.ts'
import type { MailLogin } from './mail-login.ts'

export interface ReadParts extends SessionParts {
  readonly documents: DocumentPrograms
  readonly senders?: SenderChecks | undefined
}

const shownHeaders = ['from', 'to', 'subject', 'date', 'message-id']
/** Of one e-mail in a list, in bytes; who writes longer headers is shown in part. */
const longestHeaders = 16_000

export async function listMail(
  login: MailLogin,
  listing: MailListing,
  parts: ReadParts,
  signal: AbortSignal,
): Promise<
  { readonly kind: 'listed'; readonly total: number; readonly mails: readonly ListedMail[] } | Failure
> {
  const fetched = await withImap(login, parts, signal, async (client) => {
    const { exists, uidValidity } = await client.mailboxOpen(listing.folder, { readOnly: true })
    const uids = exists === 0 ? [] : await wantedUids(client, listing)
    const newest = uids.toSorted((left, right) => right - left).slice(0, listing.limit)
    const found = newest.length === 0 ? [] : await fetchHeads(client, newest)
    return { kind: 'fetched' as const, total: uids.length, uidValidity: String(uidValidity), found }
  })
  if (fetched.kind === 'failed') return fetched
  const { total, uidValidity } = fetched
  const found = fetched.found.toSorted((left, right) => right.uid - left.uid)
  if (found.length === 0) return { kind: 'listed', total, mails: [] }
  const parsed = await headsOf(found, parts.documents, signal)
  if (parsed.kind === 'failed') return parsed
  const mails = found.flatMap((message, index): ListedMail[] => {
    const head = parsed.heads[index]
    const flags = message.flags ?? new Set<string>()
    if (!head) return []
    const place = { folder: listing.folder, uidValidity, uid: message.uid }
    const known = parts.senders?.known(keyOf(login, place))
    return [
      {
        ...head,
        place,
        unread: !flags.has('\\Seen'),
        answered: flags.has('\\Answered'),
        size: message.size ?? 0,
        received: instantOf(message.internalDate),
        sender: known ? forThoseShown(known, head.from) : null,
      },
    ]
  })
  return { kind: 'listed', total, mails }
}

/** Parsed in the order of the e-mails, in as many portions as it takes: nobody's long headers keep another's unread. */
export async function headsOf(
  fetched: readonly Pick<FetchMessageObject, 'headers'>[],
  documents: DocumentPrograms,
  signal: AbortSignal,
): Promise<{ readonly kind: 'parsed'; readonly heads: readonly MailHead[] } | Failure> {
  const heads: MailHead[] = []
  for (const portion of portionsOf(fetched.map(headBytes))) {
    const job = { program: 'mail', op: 'heads', lengths: portion.map(({ length }) => length) } as const
    const parsed = await documents.run({ job, form: MailHeads }, Buffer.concat(portion), signal)
    if (parsed.kind === 'failed') return parsed
    heads.push(...parsed.facts.heads)
  }
  return { kind: 'parsed', heads }
}

/** In bytes. What the program says of so much fits into what is taken over from it, whatever stands in the headers. */
const largestPortion = 200_000

function portionsOf(heads: readonly Buffer[]): Buffer[][] {
  const portions: Buffer[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const head of heads) {
    size += head.length
    if (size > largestPortion) {
      portions.push([])
      size = head.length
    }
    portions.at(-1)?.push(head)
  }
  return portions
}

function headBytes({ headers }: Pick<FetchMessageObject, 'headers'>): Buffer {
  return (headers ?? Buffer.alloc(0)).subarray(0, longestHeaders)
}

export function instantOf(value: Date | string | undefined): string {
  const time = new Date(value ?? 0)
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString()
}

async function wantedUids(client: ImapFlow, { search = {}, unreadOnly }: MailListing): Promise<number[]> {
  const { words, from, to, subject, since, before } = search
  const query: SearchObject = {
    all: true,
    ...(unreadOnly ? { seen: false } : {}),
    ...(words === undefined ? {} : { text: words }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(subject === undefined ? {} : { subject }),
    ...(since === undefined ? {} : { since: new Date(`${since}T00:00:00Z`) }),
    ...(before === undefined ? {} : { before: new Date(`${before}T00:00:00Z`) }),
  }
  return (await client.search(query, { uid: true })) || []
}

export async function fetchHeads(client: ImapFlow, uids: readonly number[]): Promise<FetchMessageObject[]> {
  const wanted = { uid: true, flags: true, internalDate: true, size: true, headers: shownHeaders }
  return client.fetchAll([...uids].join(','), wanted, { uid: true })
}

export async function readMail(
  login: MailLogin,
  place: EmailPlace,
  parts: ReadParts,
  signal: AbortSignal,
): Promise<{ readonly kind: 'read'; readonly mail: MailContent; readonly sender: SenderCheck } | Failure> {
  const raw = await rawMail(login, place, parts, signal)
  return raw.kind === 'failed' ? raw : openMail({ login, place, raw }, parts, signal)
}

export interface FetchedMail {
  readonly login: MailLogin
  readonly place: EmailPlace
  readonly raw: { readonly bytes: Buffer }
}

/** What it says and who wrote it, by the programs in the sandbox. */
export async function openMail(
  fetched: FetchedMail,
  parts: ReadParts,
  signal: AbortSignal,
): Promise<{ readonly kind: 'read'; readonly mail: MailContent; readonly sender: SenderCheck } | Failure> {
  const job = { program: 'mail', op: 'read', maxCharacters: mailLimits.text } as const
  const parsed = await parts.documents.run({ job, form: MailContent }, fetched.raw.bytes, signal)
  if (parsed.kind === 'failed') return parsed
  const sender = await senderOf(parsed.facts.from, fetched, parts, signal)
  return { kind: 'read', mail: parsed.facts, sender }
}

async function senderOf(
  from: MailContent['from'],
  { login, place, raw }: FetchedMail,
  { senders, documents }: ReadParts,
  signal: AbortSignal,
): Promise<SenderCheck> {
  const found = await senders?.check(keyOf(login, place), raw.bytes, documents, signal)
  return forThoseShown(found ?? unchecked, from)
}

/** An e-mail never changes under its number. */
export function keyOf(
  { account: { imap, user } }: MailLogin,
  { folder, uidValidity, uid }: EmailPlace,
): string {
  return JSON.stringify([imap.host, imap.port, user, folder, uidValidity, uid])
}

export async function readAttachment(
  login: MailLogin,
  { place, number }: { readonly place: EmailPlace; readonly number: number },
  parts: ReadParts,
  signal: AbortSignal,
): Promise<MailFile | Failure> {
  const raw = await rawMail(login, place, parts, signal)
  if (raw.kind === 'failed') return raw
  const job = { program: 'mail', op: 'attachment', number } as const
  const parsed = await parts.documents.run({ job, form: MailAttachment }, raw.bytes, signal)
  if (parsed.kind === 'failed') return parsed
  const [bytes] = parsed.files
  if (!bytes) return { kind: 'failed', reason: 'The attachment could not be taken out.' }
  const { name, from } = parsed.facts
  return { kind: 'file', name, bytes, sender: await senderOf(from, { login, place, raw }, parts, signal) }
}

async function rawMail(
  login: MailLogin,
  place: EmailPlace,
  parts: SessionParts,
  signal: AbortSignal,
): Promise<{ readonly kind: 'raw'; readonly bytes: Buffer } | Failure> {
  return withImap(login, parts, signal, async (client) => {
    const changed = await openAt(client, place, true)
    if (changed) return changed
    return sourceOf(client, place.uid)
  })
}

/** Of an e-mail in the folder that is open. Its size is looked at first, so that none is too much. */
export async function sourceOf(
  client: ImapFlow,
  uid: number,
): Promise<{ readonly kind: 'raw'; readonly bytes: Buffer; readonly received: string } | Failure> {
  const about = { uid: true, size: true, internalDate: true }
  const known = await client.fetchOne(String(uid), about, { uid: true })
  if (!known) return gone
  if ((known.size ?? 0) > largestMail)
    return { kind: 'failed', reason: `The e-mail is larger than ${largestMail / 1_000_000} MB.` }
  const message = await client.fetchOne(String(uid), { source: true }, { uid: true })
  if (!message || !message.source) return gone
  return { kind: 'raw', bytes: message.source, received: instantOf(known.internalDate) }
}
