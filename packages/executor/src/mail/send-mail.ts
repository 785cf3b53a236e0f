/**
 * Sends an e-mail once. What is about to happen is written down before it happens, so that after a crash what left is
 * filed, what did not leave is said not to have left, and only what nobody can know is unknown.
 */
import { isIP } from 'node:net'
import type { MailAccount } from '@countersign/contract'
import type { EmailPlace, Failure, MailSent, OutgoingMail } from '@countersign/tools'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { folderFor, withMessageId } from './folders.ts'
import { type MailLogin, type SessionParts, withImap } from './imap-session.ts'
import type { OutboxEntry } from './outbox.ts'
import { serverAddress } from './server-address.ts'

export function domainOf({ address }: Pick<MailAccount, 'address'>): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

export async function sendMail(
  login: MailLogin,
  mail: OutgoingMail,
  { entry, parts }: { readonly entry: OutboxEntry; readonly parts: SessionParts },
  signal: AbortSignal,
): Promise<MailSent | Failure> {
  const raw = await composed(login.account, mail, entry.messageId)
  entry.prepare(raw)
  const found = await serverAddress(login.account.smtp, parts, signal)
  if (found.kind === 'failed') return found
  if (signal.aborted) return { kind: 'failed', reason: 'It was cancelled. Nothing was sent.' }
  entry.mark({ phase: 'sending', refused: [] })
  const delivered = await deliver(login, { raw, recipients: everybody(mail), at: found }, parts, signal)
  if (delivered.kind === 'unsure') {
    const there = await lookFor(login, entry.messageId, parts)
    if (there !== true) return { kind: 'failed', reason: `${delivered.reason} ${unsure}` }
    entry.mark({ phase: 'sent', refused: [] })
    return fileSent(login, entry, parts)
  }
  if (delivered.kind === 'failed') {
    entry.mark({ phase: 'refused', refused: [] })
    return delivered
  }
  entry.mark({ phase: 'sent', refused: [...delivered.refused] })
  return fileSent(login, entry, parts)
}

const unsure =
  'It is not known whether it was sent. Look among the sent e-mails, or ask a recipient, before you send it again.'

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

type Delivery =
  | { readonly kind: 'delivered'; readonly refused: readonly string[] }
  | Failure
  | { readonly kind: 'unsure'; readonly reason: string }

interface Parcel {
  readonly raw: Buffer
  readonly recipients: readonly string[]
  readonly at: { readonly address: string; readonly name: string }
}

export function smtpTransport(
  { account: { smtp, user }, password }: MailLogin,
  at: Parcel['at'],
  { ca }: Pick<SessionParts, 'ca'>,
) {
  return createTransport({
    host: at.address,
    port: smtp.port,
    secure: smtp.security === 'tls',
    requireTLS: smtp.security === 'starttls',
    ignoreTLS: smtp.security === 'none',
    // The name of this computer is nobody's business.
    name: 'localhost',
    auth: { user, pass: password },
    tls: {
      ...(isIP(at.name) === 0 ? { servername: at.name } : {}),
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca }),
    },
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 120_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

async function deliver(
  login: MailLogin,
  { raw, recipients, at }: Parcel,
  parts: SessionParts,
  signal: AbortSignal,
): Promise<Delivery> {
  const transport = smtpTransport(login, at, parts)
  const stop = (): void => transport.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const { rejected } = await transport.sendMail({
      envelope: { from: login.account.address, to: [...recipients] },
      raw,
    })
    return { kind: 'delivered', refused: (rejected ?? []).map(String) }
  } catch (error) {
    return deliveryProblem(error, login.account)
  } finally {
    signal.removeEventListener('abort', stop)
    transport.close()
  }
}

/** Before the content went out, or when the server said no to it, nothing was sent. */
function deliveryProblem(error: unknown, { smtp, address, name }: MailAccount): Delivery {
  const { code, command, responseCode, message } = error as {
    code?: string
    command?: string
    responseCode?: number
    message?: string
  }
  const said = `${smtp.host}:${smtp.port} did not take it: ${(message ?? String(error)).slice(0, 500)}.`
  if (code === 'EAUTH')
    return {
      kind: 'failed',
      reason: `${smtp.host} did not accept the password of ${address}. Set it again with \`countersign mail add ${name}\`. Nothing was sent.`,
    }
  const isBefore = command === undefined ? code !== 'ETIMEDOUT' && code !== 'ECONNRESET' : command !== 'DATA'
  if (responseCode !== undefined || isBefore) return { kind: 'failed', reason: `${said} Nothing was sent.` }
  return { kind: 'unsure', reason: said }
}
