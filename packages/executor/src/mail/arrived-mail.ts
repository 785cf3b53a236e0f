/**
 * Looks what came into a folder since it was looked at last. Bounded in how much of it one look takes; what is left is
 * told as a number. Reads whole e-mails only to prove a sender who is asked for.
 */
import {
  type ArrivedMail,
  arrivalLimits,
  type Failure,
  forThoseShown,
  isAsked,
  type MailArrivals,
  mailboxName,
  type SeenUpTo,
  type WantedMail,
} from '@countersign/tools'
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { withImap } from './imap-session.ts'
import type { MailLogin } from './mail-login.ts'
import { fetchHeads, headsOf, instantOf, keyOf, type ReadParts, sourceOf } from './read-mail.ts'

/** Proving senders ends after so long, and goes on with the next look. */
const longestMs = 60_000

export async function arrivedMail(
  login: MailLogin,
  wanted: WantedMail,
  parts: ReadParts,
  signal: AbortSignal,
): Promise<{ readonly kind: 'looked'; readonly arrivals: MailArrivals } | Failure> {
  return withImap(login, parts, signal, async (client) => {
    const { uidValidity, uidNext } = await client.mailboxOpen(wanted.folder, { readOnly: true })
    const here: SeenUpTo = {
      mailbox: mailboxName(login.account),
      uidValidity: String(uidValidity),
      uid: Math.max(Number(uidNext) - 1, 0),
    }
    const { after } = wanted
    // Numbers of another mailbox, or of a folder before it was made anew, say nothing about these e-mails.
    if (!after || after.mailbox !== here.mailbox || after.uidValidity !== here.uidValidity)
      return { kind: 'looked', arrivals: { seen: here, mails: [], waiting: 0 } }
    return look(client, login, { ...wanted, after }, parts, signal)
  })
}

async function look(
  client: ImapFlow,
  login: MailLogin,
  wanted: WantedMail & { readonly after: SeenUpTo },
  parts: ReadParts,
  signal: AbortSignal,
): Promise<{ readonly kind: 'looked'; readonly arrivals: MailArrivals } | Failure> {
  const { after } = wanted
  const found = (await client.search({ uid: `${after.uid + 1}:*` }, { uid: true })) || []
  // A server answers with its last e-mail where there is none above the number.
  const uids = found.filter((uid) => uid > after.uid).toSorted((left, right) => left - right)
  const taken = uids.slice(0, arrivalLimits.heads)
  if (taken.length === 0) return { kind: 'looked', arrivals: { seen: after, mails: [], waiting: 0 } }
  const fetched = (await fetchHeads(client, taken)).toSorted((left, right) => left.uid - right.uid)
  const asked = await askedFor(fetched, wanted, parts, signal)
  if (asked.kind === 'failed') return asked
  const mails: ArrivedMail[] = []
  const until = performance.now() + longestMs
  let upTo = taken.at(-1) ?? after.uid
  for (const mail of asked.mails) {
    if (mails.length === arrivalLimits.told || performance.now() > until) {
      upTo = mail.uid - 1
      break
    }
    const proven =
      wanted.from === undefined ? null : await isProven(client, login, wanted, mail, parts, signal)
    signal.throwIfAborted()
    mails.push({ ...mail, proven })
  }
  const waiting = uids.filter((uid) => uid > upTo).length
  return { kind: 'looked', arrivals: { seen: { ...after, uid: upTo }, mails, waiting } }
}

async function askedFor(
  fetched: readonly FetchMessageObject[],
  wanted: WantedMail,
  { documents }: ReadParts,
  signal: AbortSignal,
): Promise<{ readonly kind: 'asked'; readonly mails: readonly Omit<ArrivedMail, 'proven'>[] } | Failure> {
  const parsed = await headsOf(fetched, documents, signal)
  if (parsed.kind === 'failed') return parsed
  const mails = fetched.flatMap(({ uid, internalDate }, index) => {
    const head = parsed.heads[index]
    if (!head || !isAsked(wanted, head)) return []
    return [{ uid, from: head.from, subject: head.subject, received: instantOf(internalDate) }]
  })
  return { kind: 'asked', mails }
}

async function isProven(
  client: ImapFlow,
  login: MailLogin,
  { folder, after }: WantedMail & { readonly after: SeenUpTo },
  { uid, from }: Pick<ArrivedMail, 'uid' | 'from'>,
  { senders, documents }: ReadParts,
  signal: AbortSignal,
): Promise<boolean> {
  const raw = await sourceOf(client, uid)
  if (raw.kind === 'failed' || !senders) return false
  const key = keyOf(login, { folder, uidValidity: after.uidValidity, uid })
  const found = await senders.check(key, raw.bytes, documents, signal)
  return forThoseShown(found, from).proven
}
