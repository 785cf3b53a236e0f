/**
 * Sends an e-mail, or keeps it as a draft. What is approved is who gets it, its subject, its whole text and the bytes of
 * its attachments. It is sent once: its Message-ID comes from the permit, and is looked for before anything is unknown.
 */
import { posix } from 'node:path'
import { type Effect, mailLine, type Resource, type ToolResult } from '@countersign/contract'
import { z } from 'zod'
import type { MailSent, ToolCapabilities } from '../capabilities.ts'
import { defineTool, type EffectsResult } from '../definition.ts'
import { findDocument, largestDocument } from '../documents/document-file.ts'
import type { Inspector } from '../inspector.ts'
import { failed, sizeOf, succeeded, unsure } from '../result.ts'
import { pathText } from '../text.ts'
import { type AccountArgs, accountInput, noAccount } from './account-argument.ts'
import { emailId } from './email-id.ts'
import { changes, mailEffects, mailTool, ownMailLabel } from './mail-effects.ts'
import { moreRecipients, recipients, unique } from './recipients.ts'

type SendArgs = AccountArgs & {
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly subject: string
  readonly body: string
  readonly attachments: readonly string[]
  readonly draft: boolean
  readonly inReplyTo?: string
  readonly references?: readonly string[]
}

const longestBody = 200_000
const messageId = z
  .string()
  .regex(/^<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>$/, 'not the id of a message, as <1@example.org>')

export const sendEmail = defineTool<SendArgs>({
  ...mailTool,
  runs: 'executor',
  name: 'send_email',
  version: '2',
  description: 'Send an e-mail in plain text, or keep it as a draft. To answer one, use reply_email.',
  input: z.strictObject({
    ...accountInput,
    to: recipients.describe('Addresses such as ana@example.org'),
    cc: moreRecipients,
    bcc: moreRecipients,
    subject: mailLine(400),
    body: z
      .string()
      .min(1)
      .max(longestBody)
      .refine((text) => text.isWellFormed() && !text.includes('\0'), 'text that cannot be sent'),
    attachments: z.array(pathText).max(20).default([]).describe('Files of the workspace'),
    draft: z.boolean().default(false).describe('Keep it among the drafts instead of sending it'),
    inReplyTo: messageId.exactOptional().describe('Message-ID that it answers'),
    references: z.array(messageId).max(50).exactOptional(),
  }) as unknown as z.ZodType<SendArgs>,
  tags: ['mail', 'write', 'message', 'smtp', 'notify', 'compose', 'draft', 'tell', 'forward'],
  effect: 'once',
  floor: 1,
  output: ownMailLabel,
  undo: 'restore_email',
  sandbox: 'files',
  describe: ({ to, cc, bcc, draft }) => {
    const all = unique([...to, ...cc, ...bcc])
    const whom = all.length > 3 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ')
    return draft ? `Keep a draft of an e-mail to ${whom}` : `Send an e-mail to ${whom}`
  },
  preview: ({ to, cc, bcc, subject, body, attachments, account, mailbox, inReplyTo }) => ({
    kind: 'text',
    title: 'The e-mail',
    text: [
      `From: ${mailbox?.address ?? account ?? ''}`,
      `To: ${to.join(', ')}`,
      ...(cc.length > 0 ? [`Cc: ${cc.join(', ')}`] : []),
      ...(bcc.length > 0 ? [`Bcc: ${bcc.join(', ')}`] : []),
      `Subject: ${subject}`,
      ...(attachments.length > 0 ? [`Attachments: ${attachments.join(', ')}`] : []),
      ...(inReplyTo === undefined ? [] : [`Answers: ${inReplyTo}`]),
      '',
      body,
    ].join('\n'),
  }),
  async effects(args, inspect) {
    const { mailbox, draft, to, cc, bcc, attachments } = args
    const all = unique([...to, ...cc, ...bcc])
    const files = await filesOf(attachments, inspect)
    if (files.kind !== 'found') return files
    if (draft) {
      const kept = changes('write', `a draft of ${mailbox?.address}`)
      const found = mailEffects(mailbox, ['IMAP'], [kept, ...files.effects], inspect)
      return found.kind === 'found'
        ? { ...found, resources: [...found.resources, ...files.resources] }
        : found
    }
    const sends: Effect = {
      verb: 'send',
      object: all.join(', '),
      scope: 'boundary',
      reversible: false,
      outward: true,
      leaves: [`an e-mail of ${sizeOf(Buffer.byteLength(args.body))}`, ...files.told],
    }
    const found = mailEffects(mailbox, ['SMTP', 'IMAP'], [sends, ...files.effects], inspect)
    if (found.kind !== 'found' || !mailbox) return found
    const peers = all.map(
      (peer): Resource => ({ type: 'peer', channel: 'email', account: mailbox.address, peer }),
    )
    return { ...found, resources: [...found.resources, ...peers, ...files.resources] }
  },
  async run(args, capabilities, signal) {
    const { mailbox, draft } = args
    if (!mailbox) return failed(noAccount)
    const files = await openFiles(args.attachments, capabilities)
    if (typeof files === 'string') return failed(files)
    const outgoing = {
      to: args.to,
      cc: args.cc,
      bcc: args.bcc,
      subject: args.subject,
      body: args.body,
      inReplyTo: args.inReplyTo ?? null,
      references: args.references ?? [],
      attachments: files,
    }
    if (!draft) {
      const outcome = await capabilities.mail.send(mailbox, outgoing, signal)
      if (outcome.kind === 'unsure') return unsure(outcome.reason)
      return outcome.kind === 'failed' ? failed(outcome.reason) : sentResult(outcome, args)
    }
    const kept = await capabilities.mail.draft(mailbox, outgoing, signal)
    if (kept.kind === 'failed') return failed(kept.reason)
    const id = emailId(mailbox.name, kept.place)
    const undo = { tool: 'restore_email', args: { account: mailbox.name, mailbox, emailId: id, to: 'trash' } }
    return succeeded(`Kept as a draft: ${id}`, `Kept a draft of an e-mail to ${args.to.join(', ')}`, undo)
  },
  async probe(args, { mail }) {
    if (!args.mailbox || args.draft) return undefined
    const outcome = await mail.sent(args.mailbox)
    if (!outcome) return undefined
    return outcome.kind === 'failed' ? failed(outcome.reason) : sentResult(outcome, args)
  },
})

function sentResult({ messageId: id, refused, unfiled }: MailSent, { to, cc, bcc }: SendArgs): ToolResult {
  const gone = unique([...to, ...cc, ...bcc]).filter((address) => !refused.includes(address))
  const notes = [
    ...(refused.length > 0 ? [`The server refused these recipients: ${refused.join(', ')}.`] : []),
    ...(unfiled === null ? [] : [`It is not among what was sent: ${unfiled}`]),
  ]
  const summary = `Sent an e-mail to ${gone.join(', ')}`
  return succeeded([`${summary}.`, `Message-ID ${id}`, ...notes].join('\n'), summary)
}

type FoundFiles = Extract<EffectsResult, { kind: 'found' }> & { readonly told: readonly string[] }

async function filesOf(
  paths: readonly string[],
  inspect: Inspector,
): Promise<FoundFiles | Exclude<EffectsResult, { kind: 'found' }>> {
  const resources: Resource[] = []
  const effects: Effect[] = []
  const told: string[] = []
  for (const path of paths) {
    const found = await findDocument(path, inspect)
    if (found.kind !== 'found') return found
    resources.push(found.resource)
    effects.push(found.effect)
    told.push(`the file ${path} (SHA-256 ${found.resource.content ?? ''})`)
  }
  return { kind: 'found', resources, effects, told }
}

async function openFiles(
  paths: readonly string[],
  { files }: Pick<ToolCapabilities, 'files'>,
): Promise<{ name: string; bytes: Uint8Array }[] | string> {
  const opened: { name: string; bytes: Uint8Array }[] = []
  let left = largestDocument
  for (const path of paths) {
    const location = files.locate(path)
    if (location.root === 'nowhere') return location.reason
    const content = await files.read(location, left)
    if (content.kind === 'failed') return content.reason
    if (content.bytes.length < content.size)
      return `The attachments are larger than ${sizeOf(largestDocument)} together.`
    left -= content.size
    opened.push({ name: posix.basename(path), bytes: content.bytes })
  }
  return opened
}
