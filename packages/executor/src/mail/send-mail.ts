/**
 * Sends an e-mail once. What is about to happen is written down before it happens, so that after a crash what left is
 * filed, what did not leave is said not to have left, and only what nobody can know is unknown.
 */
import type { MailAccount } from '@countersign/contract'
import type { EmailPlace, Failure, MailSent, MailUnsure, OutgoingMail } from '@countersign/tools'
import MailComposer from 'nodemailer/lib/mail-composer'
import { folderFor, withMessageId } from './folders.ts'
import { type SessionParts, withImap } from './imap-session.ts'
import type { MailLogin } from './mail-login.ts'
import type { OutboxEntry } from './outbox.ts'
import { withSmtp } from './smtp-session.ts'

export function domainOf({ address }: Pick<MailAccount, 'address'>): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

export async function sendMail(
  login: MailLogin,
  mail: OutgoingMail,
  { entry, parts }: { readonly entry: OutboxEntry; readonly parts: SessionParts },
  signal: AbortSignal,
): Promise<MailSent | MailUnsure | Failure> {
  const raw = await composed(login.account, mail, entry.messageId)
  entry.prepare(raw)
  const delivered = await withSmtp(login, parts, signal, async (session) => {
    entry.mark({ phase: 'sending', refused: [] })
    return session.send({ raw, from: login.account.address, recipients: everybody(mail) })
  })
  if (delivered.kind === 'failed') {
    entry.mark({ phase: 'refused', refused: [] })
    return { kind: 'failed', reason: `${delivered.reason} Nothing was sent.` }
  }
  if (delivered.kind === 'unsure') {
    const found = await sentBefore(login, entry, parts)
    return found ?? { kind: 'unsure', reason: `${delivered.reason} ${unsure}` }
  }
  entry.mark({ phase: 'sent', refused: [...delivered.refused] })
  return fileSent(login, entry, parts)
}

const unsure =
  'It had the whole e-mail by then, and the e-mail is not in the folder of sent e-mails. Ask a recipient before it is sent again.'

/** After a crash: what is written down and what the server has decide. Nothing where neither says. */
export async function sentBefore(
  login: MailLogin,
  entry: OutboxEntry,
  parts: SessionParts,
): Promise<MailSent | Failure | undefined> {
  const step = entry.step()
  if (step === undefined || step.phase === 'prepared' || step.phase === 'refused')
    return {
      kind: 'failed',
      reason: 'It was not sent: the work ended before it began to send. Send it again.',
    }
  if (step.phase === 'filed')
    return { kind: 'sent', messageId: entry.messageId, refused: step.refused, unfiled: null }
  if (step.phase === 'sending') {
    if ((await lookFor(login, entry.messageId, parts)) !== true) return undefined
    entry.mark({ phase: 'sent', refused: step.refused })
  }
  return fileSent(login, entry, parts)
}

/** Puts what left among the sent e-mails, unless the server did so or an earlier beginning of ours. */
async function fileSent(login: MailLogin, entry: OutboxEntry, parts: SessionParts): Promise<MailSent> {
  const { messageId } = entry
  const refused = entry.step()?.refused ?? []
  const filed = await withImap(login, parts, new AbortController().signal, async (client) => {
    const folder = await folderFor(client, '\\Sent')
    if (folder.kind === 'failed') return folder
    const raw = entry.raw()
    if ((await withMessageId(client, folder.path, messageId)).length === 0 && raw !== undefined)
      await client.append(folder.path, raw, ['\\Seen'])
    return { kind: 'filed' as const }
  })
  if (filed.kind === 'failed') return { kind: 'sent', messageId, refused, unfiled: filed.reason }
  entry.mark({ phase: 'filed', refused: [...refused] })
  return { kind: 'sent', messageId, refused, unfiled: null }
}

/** Whether it is among the sent e-mails; nothing where the server cannot be asked. */
async function lookFor(
  login: MailLogin,
  messageId: string,
  parts: SessionParts,
): Promise<boolean | undefined> {
  const found = await withImap(login, parts, new AbortController().signal, async (client) => {
    const folder = await folderFor(client, '\\Sent')
    if (folder.kind === 'failed') return folder
    return {
      kind: 'looked' as const,
      there: (await withMessageId(client, folder.path, messageId)).length > 0,
    }
  })
  return found.kind === 'failed' ? undefined : found.there
}

export async function keepDraft(
  login: MailLogin,
  mail: OutgoingMail,
  { messageId, parts }: { readonly messageId: string; readonly parts: SessionParts },
  signal: AbortSignal,
): Promise<{ readonly kind: 'kept'; readonly place: EmailPlace } | Failure> {
  const raw = await composed(login.account, mail, messageId)
  return withImap(login, parts, signal, async (client) => {
    const folder = await folderFor(client, '\\Drafts')
    if (folder.kind === 'failed') return folder
    await client.append(folder.path, raw, ['\\Draft', '\\Seen'])
    const place = (await withMessageId(client, folder.path, messageId)).at(-1)
    return place ? { kind: 'kept', place } : { kind: 'failed', reason: 'The server did not keep the draft.' }
  })
}

function everybody({ to, cc, bcc }: OutgoingMail): string[] {
  return [...new Set([...to, ...cc, ...bcc])]
}

async function composed(
  { address, displayName }: MailAccount,
  mail: OutgoingMail,
  messageId: string,
): Promise<Buffer> {
  const composer = new MailComposer({
    from: { name: displayName, address },
    to: [...mail.to],
    cc: [...mail.cc],
    subject: mail.subject,
    text: mail.body,
    messageId,
    ...(mail.inReplyTo === null ? {} : { inReplyTo: mail.inReplyTo }),
    ...(mail.references.length > 0 ? { references: [...mail.references] } : {}),
    attachments: mail.attachments.map(({ name, bytes }) => ({ filename: name, content: Buffer.from(bytes) })),
    // Nothing but what was approved gets in.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}
