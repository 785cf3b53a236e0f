/** Owns what the channel for XMPP says about itself. */
import { z } from 'zod'
import type { ChannelManifest } from '../frame/manifest.ts'

/** An address without a resource. */
const Jid = z
  .string()
  .max(250)
  .regex(/^[^\s@/<>"'&:]+@[^\s@/<>"'&:]+$/, 'An address like assistant@example.com.')

export const XmppSettings = z.strictObject({
  account: Jid,
  /** Where the server is, if the name service does not say so. */
  host: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9.:-]+$/)
    .optional(),
  port: z.int().min(1).max(65_535).optional(),
  /** `none` is for a server on this computer only. */
  security: z.enum(['starttls', 'tls', 'none']).default('starttls'),
  rooms: z.array(Jid).max(20).default([]),
  /** What we are called in rooms; the account's own name where it is missing. */
  nick: z
    .string()
    .regex(/^[^\p{Cc}\s]{1,50}$/u)
    .optional(),
})
export type XmppSettings = z.infer<typeof XmppSettings>

export const xmppManifest: ChannelManifest = {
  kind: 'xmpp',
  title: 'XMPP',
  about:
    'Talks over Jabber/XMPP, in private and in rooms. Your server vouches for who writes; for people with accounts elsewhere it trusts what their servers prove to it.',
  steps: [
    'Make an account for the assistant on your server, with a long password.',
    'Switch on the message archive (XEP-0313, mod_mam) there, also for rooms: without it, what is said while the assistant is away may be lost.',
    'Let the assistant into the rooms where it is wanted. Rooms that show real addresses tell it for sure who writes.',
    'Switch encryption (OMEMO) off in chats with the assistant: it cannot read it.',
  ],
  settings: XmppSettings,
  secrets: [{ name: 'password', label: 'The password of the account' }],
  text: { most: 10_000, unit: 'characters' },
  files: null,
  can: { edit: true, typing: true, buttons: false, groups: true },
  // A server does not look whether it had an id before.
  sendsOnce: false,
  proves: 'sender',
  decides: 2,
  web: false,
  direction: 'both',
}
