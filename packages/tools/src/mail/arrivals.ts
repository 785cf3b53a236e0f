/**
 * Owns what a look for new e-mails is given and tells: up to where the folder was looked at, and which of the newer
 * e-mails are asked for. A sender who is asked for has to be proven; until then it is a claim.
 */
import type { MailAccount } from '@countersign/contract'
import { z } from 'zod'
import { type MailHead, MailPerson, mailLimits } from './mail-content.ts'

export const arrivalLimits = {
  /** E-mails whose headers one look reads. */
  heads: 200,
  /** E-mails that one look tells of. */
  told: 20,
} as const

/** Up to where a folder was looked at. Numbers hold for one mailbox and one life of the folder. */
export const SeenUpTo = z.strictObject({
  mailbox: z.string().max(600),
  uidValidity: z.string().regex(/^\d{1,20}$/),
  uid: z.int().min(0).max(4_294_967_295),
})
export type SeenUpTo = z.infer<typeof SeenUpTo>

/** Whose e-mails they are, whatever the account is called. */
export function mailboxName({ imap, user }: Pick<MailAccount, 'imap' | 'user'>): string {
  return `${user} at ${imap.host}:${imap.port}`
}

export type WantedMail = {
  readonly folder: string
  /** Left out, nothing is told of but where the folder ends now. */
  readonly after?: SeenUpTo
  readonly from?: string
  readonly subject?: string
}

export const ArrivedMail = z.strictObject({
  uid: z.int().min(1),
  from: z.array(MailPerson).max(mailLimits.people),
  subject: z.string().max(mailLimits.line),
  received: z.string().max(40),
  /** Null where nobody asked. */
  proven: z.boolean().nullable(),
})
export type ArrivedMail = z.infer<typeof ArrivedMail>

export const MailArrivals = z.strictObject({
  /** Everything up to here was looked at. */
  seen: SeenUpTo,
  mails: z.array(ArrivedMail).max(arrivalLimits.told),
  /** Newer ones that are left for the next look. */
  waiting: z.int().min(0),
})
export type MailArrivals = z.infer<typeof MailArrivals>

/** By what the e-mail says of itself. */
export function isAsked({ from, subject }: WantedMail, head: Pick<MailHead, 'from' | 'subject'>): boolean {
  if (subject !== undefined && !head.subject.toLowerCase().includes(subject.toLowerCase())) return false
  if (from === undefined) return true
  const wanted = from.toLowerCase()
  const [sender, ...others] = head.from
  // An e-mail of several senders is nobody's.
  if (!sender || others.length > 0) return false
  const address = sender.address.toLowerCase()
  return wanted.startsWith('@') ? address.slice(address.lastIndexOf('@')) === wanted : address === wanted
}
