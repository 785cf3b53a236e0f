/**
 * Owns what a look for the search by meaning is given and tells: of each folder up to where it was taken in, which of its
 * e-mails are still there, and what some of the others say. Every word of them is a stranger's.
 */
import { MailFolder } from '@countersign/contract'
import { z } from 'zod'
import { SeenUpTo } from './arrivals.ts'
import { MailPerson, mailLimits } from './mail-content.ts'

export const searchedLimits = {
  /** Folders of an account; INBOX is always among them. */
  folders: 100,
  /** The newest e-mails of a folder, and no older ones than that. */
  window: 5_000,
  days: 730,
  /** E-mails that one look reads. */
  mails: 20,
  /** Characters of one e-mail, and of all that one look tells. */
  text: 50_000,
  characters: 400_000,
} as const

const uid = SeenUpTo.shape.uid
const place = { folder: MailFolder, uidValidity: SeenUpTo.shape.uidValidity }
/** E-mails with a number from `low` to `high` were taken in, or are left out for good. */
const range = { low: uid, high: uid }
/** How many e-mails the folder had when all of them were taken in; null until they are. */
const count = z.int().min(0).nullable()

export const KnownMailbox = z.strictObject({
  mailbox: SeenUpTo.shape.mailbox,
  folders: z.array(z.strictObject({ ...place, ...range, count })).max(searchedLimits.folders),
})
export type KnownMailbox = z.infer<typeof KnownMailbox>
export type KnownFolder = KnownMailbox['folders'][number]

export const SearchedMail = z.strictObject({
  uid,
  from: z.array(MailPerson).max(mailLimits.people),
  subject: z.string().max(mailLimits.line),
  received: z.string().max(40),
  text: z.string().max(searchedLimits.text),
  proven: z.boolean(),
})
export type SearchedMail = z.infer<typeof SearchedMail>

export const SearchedFolder = z.discriminatedUnion('kind', [
  /** Nothing has changed in it, or there was no time to look. */
  z.strictObject({ kind: z.literal('same'), folder: MailFolder }),
  z.strictObject({
    kind: z.literal('looked'),
    ...place,
    ...range,
    count,
    /** Those of the range that are still there, as a server writes them: 3:7,9. */
    there: z.string().regex(/^(?:\d+(?::\d+)?(?:,\d+(?::\d+)?)*)?$/),
    mails: z.array(SearchedMail).max(searchedLimits.mails),
  }),
])
export type SearchedFolder = z.infer<typeof SearchedFolder>
export type LookedFolder = Extract<SearchedFolder, { kind: 'looked' }>

export const SearchedMailbox = z.strictObject({
  mailbox: SeenUpTo.shape.mailbox,
  /** All that are searched; what is not among them is gone. */
  folders: z.array(SearchedFolder).max(searchedLimits.folders),
  /** E-mails that are left for the next look. */
  waiting: z.int().min(0),
})
export type SearchedMailbox = z.infer<typeof SearchedMailbox>

/** Rising numbers, neighbours together. */
export function uidSet(uids: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const each of uids) {
    const last = ranges.at(-1)
    if (last && each === last[1] + 1) last[1] = each
    else ranges.push([each, each])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}:${to}`)).join(',')
}

export function isInUidSet(set: string): (uid: number) => boolean {
  const ranges = set.split(',').map((part) => {
    const [from = '', to = from] = part.split(':')
    return [Number(from || Number.NaN), Number(to || Number.NaN)] as const
  })
  return (wanted) => ranges.some(([from, to]) => wanted >= from && wanted <= to)
}
