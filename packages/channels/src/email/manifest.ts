/** Owns what the channel of e-mail says about itself: a mailbox that is the assistant's own. */
import { isIPv4, isIPv6 } from 'node:net'
import { z } from 'zod'
import type { ChannelManifest } from '../frame/manifest.ts'

/** One address and nothing else, in the letters that every server takes. */
export const mailAddress = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/

const MailServer = z
  .strictObject({
    host: z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9.:-]{0,250}[A-Za-z0-9])?$/),
    port: z.int().min(1).max(65_535),
    /** `tls` from the first byte, `starttls` before anything is said, `none` on this computer only. */
    security: z.enum(['tls', 'starttls', 'none']),
  })
  .refine(
    ({ host, security }) => security !== 'none' || /^(localhost|127\.0\.0\.1|::1)$/.test(host),
    'Without TLS only this computer can be reached.',
  )
export type MailServer = z.infer<typeof MailServer>

/** An address and perhaps a port: a name would have to be looked up first. */
const NameServer = z.string().refine(isNameServer, 'This is no address of a name server, such as 9.9.9.9.')

function isNameServer(text: string): boolean {
  const [, six, four, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  return (isIPv6(six ?? '') || isIPv4(four ?? '')) && Number(port) > 0 && Number(port) < 65_536
}

export const EmailSettings = z.strictObject({
  address: z.string().toLowerCase().regex(mailAddress),
  /** What people see beside the address. */
  name: z
    .string()
    .max(100)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}@<>"]*$/u)
    .default(''),
  /** How it signs in; the address where nothing else is said. */
  user: z.string().min(1).max(254).optional(),
  imap: MailServer,
  smtp: MailServer,
  dns: NameServer.optional().describe(
    'Address of the name server that says who signs for a domain, such as 9.9.9.9; the one of this computer where nothing is said.',
  ),
})
export type EmailSettings = z.infer<typeof EmailSettings>

export const emailManifest: ChannelManifest = {
  kind: 'email',
  title: 'E-mail',
  about: 'Reads a mailbox of its own and answers whoever wrote, and nobody else.',
  steps: [
    'Give the assistant a mailbox of its own. It answers what comes there.',
    'Look up the servers of the provider for IMAP and SMTP, with their ports.',
    'Make an app password where the provider has them.',
    'An address counts as proven only where its domain signs with DKIM and has a DMARC record.',
  ],
  settings: EmailSettings,
  secrets: [{ name: 'password', label: 'Password of the mailbox, or an app password' }],
  text: { most: 50_000, unit: 'characters' },
  files: { most: 10_000_000 },
  can: { edit: false, typing: false, buttons: false, groups: false },
  sendsOnce: false,
  proves: 'sender',
  // Whoever has a copy of an e-mail can show it again. It may deny, and not approve.
  decides: 0,
  web: false,
  direction: 'both',
}
