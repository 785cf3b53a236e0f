/**
 * Looks what the folders of an account hold that the search by meaning does not know yet, and what is gone from them.
 * Bounded in how much of it one look reads; what is left is told as a number. Changes nothing on the server.
 */
import { Buffer } from 'node:buffer'
import {
  type Failure,
  type KnownFolder,
  type KnownMailbox,
  type LookedFolder,
  MailHeads,
  mailboxName,
  type SearchedFolder,
  type SearchedMail,
  type SearchedMailbox,
  searchedLimits,
  uidSet,
} from '@countersign/tools'
import type { ImapFlow } from 'imapflow'
import { type FolderStatus, type SearchedPlace, searchedFolders } from './folders.ts'
import { withImap } from './imap-session.ts'
import type { MailLogin } from './mail-login.ts'
import { openMail, type ReadParts, sourceOf } from './read-mail.ts'

/** A look ends after so long, and goes on with the next one. */
const longestMs = 60_000
const dayMs = 86_400_000
/** E-mails that are opened at once. */
const atOnce = 4

interface Looking {
  readonly client: ImapFlow
  readonly login: MailLogin
  readonly parts: ReadParts
  readonly signal: AbortSignal
  /** How much this look may still read. */
  readonly room: { mails: number; characters: number; readonly until: number }
}

export async function searchedMail(
  login: MailLogin,
  known: KnownMailbox | undefined,
  parts: ReadParts,
  signal: AbortSignal,
): Promise<{ readonly kind: 'searched'; readonly searched: SearchedMailbox } | Failure> {
  return withImap(login, parts, signal, async (client) => {
    const mailbox = mailboxName(login.account)
    const before = known?.mailbox === mailbox ? known.folders : []
    const { mails, characters } = searchedLimits
    const room = { mails, characters, until: performance.now() + longestMs }
    const looking = { client, login, parts, signal, room }
    const folders: SearchedFolder[] = []
    let waiting = 0
    for (const { path, status, seen } of inOrder(await searchedFolders(client), before)) {
      const same: SearchedFolder = { kind: 'same', folder: path }
      if (!status || isSame(status, seen) || isOver(room)) {
        folders.push(same)
        if (status && !isSame(status, seen)) waiting += Math.max(status.messages - (seen?.count ?? 0), 1)
        continue
      }
      const looked = await look({ path, messages: status.messages }, seen, looking)
      if (looked.kind === 'failed') return looked
      folders.push(looked.folder)
      waiting += looked.waiting
    }
    return { kind: 'searched', searched: { mailbox, folders, waiting } }
  })
}

type PlaceToLook = SearchedPlace & { readonly seen: KnownFolder | undefined }

/** Those that are taken in whole come first, so that what arrives does not wait for old e-mails of another folder. */
function inOrder(found: readonly SearchedPlace[], before: readonly KnownFolder[]): PlaceToLook[] {
  const all = found.map((each) => ({ ...each, seen: before.find(({ folder }) => folder === each.path) }))
  const isWhole = ({ seen }: PlaceToLook) => (seen?.count ?? null) !== null
  return [...all.filter(isWhole), ...all.filter((each) => !isWhole(each))]
}

/** What came has a higher number, and what is gone leaves fewer. */
function isSame({ uidValidity, uidNext, messages }: FolderStatus, seen: KnownFolder | undefined): boolean {
  return seen?.uidValidity === uidValidity && uidNext - 1 <= seen.high && messages === seen.count
}

function isOver({ until }: Looking['room']): boolean {
  return performance.now() > until
}

function isFull(room: Looking['room']): boolean {
  return room.mails <= 0 || room.characters <= 0 || isOver(room)
}

/** What is newer than what was taken in first, the oldest first; then what is older, the newest first. */
async function look(
  { path, messages }: { readonly path: string; readonly messages: number },
  seen: KnownFolder | undefined,
  looking: Looking,
): Promise<{ readonly kind: 'done'; readonly folder: LookedFolder; readonly waiting: number } | Failure> {
  const { client } = looking
  const opened = await client.mailboxOpen(path, { readOnly: true })
  const uidValidity = String(opened.uidValidity)
  const end = Math.max(Number(opened.uidNext) - 1, 0)
  let { low, high } = seen?.uidValidity === uidValidity ? seen : { low: end + 1, high: end }
  const uids = opened.exists === 0 ? [] : await windowOf(client)
  const newer = uids.filter((uid) => uid > high)
  const older = uids.filter((uid) => uid < low).toReversed()
  const mails: SearchedMail[] = []
  const wanted = [...newer, ...older]
  while (wanted.length > 0 && !isFull(looking.room)) {
    const some = wanted.splice(0, Math.min(atOnce, looking.room.mails))
    const read = await readSome(some, { folder: path, uidValidity }, looking)
    if (read.kind === 'failed') return read
    mails.push(...read.mails)
    high = Math.max(high, ...some)
    low = Math.min(low, ...some)
  }
  const waiting = uids.filter((uid) => uid > high || uid < low).length
  const there = uidSet(uids.filter((uid) => uid >= low && uid <= high))
  const count = waiting === 0 ? messages : null
  // Of a folder that is taken in whole, nothing that is older than it counts any more.
  if (waiting === 0) [low, high] = [0, Math.max(high, end)]
  return {
    kind: 'done',
    waiting,
    folder: { kind: 'looked', folder: path, uidValidity, low, high, count, there, mails },
  }
}

/** The newest that are not too old, rising. */
async function windowOf(client: ImapFlow): Promise<number[]> {
  const since = new Date(Date.now() - searchedLimits.days * dayMs)
  const found = (await client.search({ since }, { uid: true })) || []
  return found.toSorted((left, right) => left - right).slice(-searchedLimits.window)
}

/** One after the other over the connection, and opened together: most of the time is spent waiting for the DNS. */
async function readSome(
  uids: readonly number[],
  folder: { readonly folder: string; readonly uidValidity: string },
  { client, login, parts, signal, room }: Looking,
): Promise<{ readonly kind: 'read'; readonly mails: readonly SearchedMail[] } | Failure> {
  room.mails -= uids.length
  const opening: Promise<SearchedMail | Failure>[] = []
  for (const uid of uids) {
    const raw = await sourceOf(client, uid)
    // One that is gone or too large is not found by what it says, and neither is one that is damaged.
    if (raw.kind === 'failed') continue
    const fetched = { login, place: { ...folder, uid }, raw }
    opening.push(openMail(fetched, parts, signal).then((read) => searchedFrom(uid, raw.received, read)))
  }
  const opened = await Promise.all(opening)
  signal.throwIfAborted()
  const failed = opened.find((each) => 'kind' in each)
  if (failed && (await isSandboxBroken(parts, signal))) return failed
  const mails = opened.flatMap((each) => ('kind' in each ? [] : [each]))
  for (const { text } of mails) room.characters -= text.length
  return { kind: 'read', mails }
}

function searchedFrom(
  uid: number,
  received: string,
  read: Awaited<ReturnType<typeof openMail>>,
): SearchedMail | Failure {
  if (read.kind === 'failed') return read
  const { from, subject, text: whole } = read.mail
  const text = whole.slice(0, searchedLimits.text).toWellFormed()
  return { uid, from, subject, received, text, proven: read.sender.proven }
}

/** Whether nothing at all can be opened: then no e-mail is to blame, and none is passed over. */
async function isSandboxBroken({ documents }: ReadParts, signal: AbortSignal): Promise<boolean> {
  const job = { program: 'mail', op: 'heads', lengths: [] } as const
  return (await documents.run({ job, form: MailHeads }, Buffer.alloc(0), signal)).kind === 'failed'
}
