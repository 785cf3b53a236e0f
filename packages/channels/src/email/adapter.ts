/** Owns the way to a mailbox: reads what comes by IMAP, and answers by SMTP whoever wrote. */
import {
  type ChannelAdapter,
  type ChannelConnection,
  type ChannelContext,
  RejectedError,
} from '../frame/adapter.ts'
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import { createTaking } from '../frame/take-in-turn.ts'
import { composeMail } from './compose.ts'
import { type DnsRecords, recordsFrom } from './dns.ts'
import { fetchFile } from './files.ts'
import { openInbox } from './inbox.ts'
import { type EmailSettings, emailManifest, mailAddress } from './manifest.ts'
import { createReadEmail } from './read-email.ts'
import { checkSmtp, type SmtpParts, sendMail } from './smtp.ts'

export interface EmailParts {
  /** Whom to ask what domains say about their e-mails, where the settings name nobody. */
  readonly records: DnsRecords
  readonly lookEveryMs: number
}

/** Twenty e-mails are looked at at once; a stranger whose DNS is silent keeps their places for so long. */
const proofMs = 15_000

export function createEmailAdapter(parts: EmailParts): ChannelAdapter<EmailSettings> {
  return { manifest: emailManifest, open: (context) => open(context, parts) }
}

export const emailAdapter = createEmailAdapter({ records: recordsFrom(), lookEveryMs: 5 * 60_000 })

async function open(context: ChannelContext<EmailSettings>, parts: EmailParts): Promise<ChannelConnection> {
  const { settings, secrets, signal } = context
  const { password = '' } = secrets
  if (password === '') throw new RejectedError('The password of the mailbox is missing.')
  const servers = { settings, password, signal }
  await checkSmtp(servers)
  const inbox = await openInbox({
    context,
    imap: servers,
    taking: createTaking(context),
    read: createReadEmail({
      own: settings.address,
      records: settings.dns === undefined ? parts.records : recordsFrom(settings.dns),
      signal,
      patienceMs: proofMs,
    }),
    lookEveryMs: parts.lookEveryMs,
  })
  return {
    send: (message) => send(servers, message),
    async fetch(ref, most) {
      const client = inbox.client()
      if (!client?.usable) throw new Error('The mailbox cannot be reached now.')
      return fetchFile(client, ref, most)
    },
    async close() {
      inbox.client()?.close()
      await inbox.ended
    },
  }
}

async function send(parts: SmtpParts, message: OutboundMessage): Promise<SendResult> {
  if (message.chat.length > 254 || !mailAddress.test(message.chat))
    return { kind: 'refused', problem: 'This is no address of e-mail.' }
  if (message.text.trim() === '' && !message.file)
    return { kind: 'refused', problem: 'There is nothing in it.' }
  return sendMail(parts, message.chat, await composeMail(message, parts.settings))
}
