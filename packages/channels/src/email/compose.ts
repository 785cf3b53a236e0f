/** Owns how a message of ours becomes an e-mail: plain words and the same as simple HTML, in the thread of what it answers. */
import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import { cleanText } from '../frame/clean-text.ts'
import { type Block, type Inline, readLinks, readMarkdown } from '../frame/markdown.ts'
import { plainTextOf } from '../frame/plain-text.ts'
import type { OutboundMessage } from '../frame/protocol.ts'
import { lineOf } from './letter.ts'
import type { EmailSettings } from './manifest.ts'
import { longestSubject, readThread, type Thread } from './thread.ts'

export interface ComposedMail {
  readonly raw: Buffer
  readonly messageId: string
}

export async function composeMail(
  message: OutboundMessage,
  { address, name }: Pick<EmailSettings, 'address' | 'name'>,
): Promise<ComposedMail> {
  const messageId = messageIdOf(message, address)
  const thread = message.thread === null ? undefined : readThread(message.thread)
  const plain = plainTextOf(message).trim()
  const html = htmlBody(message)
  const composer = new MailComposer({
    from: { name, address },
    to: { name: '', address: message.chat },
    subject: subjectOf(plain, thread),
    messageId,
    ...(thread?.answers ? { inReplyTo: thread.answers, references: [thread.answers] } : {}),
    // Programs do not answer this, and neither do we what says so.
    headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    text: plain === '' ? ' ' : plain,
    ...(html === '' ? {} : { html: `<!doctype html><html><body>${html}</body></html>` }),
    attachments: message.file ? [attachmentOf(message.file)] : [],
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { raw: await composer.compile().build(), messageId }
}

/** The same for every try, so that most programs show a copy that was sent twice once. */
export function messageIdOf({ key, chat }: Pick<OutboundMessage, 'key' | 'chat'>, address: string): string {
  const hash = createHash('sha256').update(`e-mail\n${address}\n${chat}\n${key}`).digest('hex').slice(0, 40)
  return `<${hash}@${address.slice(address.lastIndexOf('@') + 1)}>`
}

/** What asks or tells by itself says what it is in its first line. */
function subjectOf(plain: string, thread: Thread | undefined): string {
  const first = lineOf(plain.trim().split('\n', 1)[0] ?? '').slice(0, longestSubject)
  if (!thread) return first === '' ? 'A message' : first.toWellFormed()
  return `Re: ${thread.subject}`.trim().toWellFormed()
}

function attachmentOf({ name, mediaType, bytes }: NonNullable<OutboundMessage['file']>) {
  const isType = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,80}$/i.test(mediaType)
  return {
    filename:
      lineOf(name)
        .replaceAll(/["/\\]/g, '_')
        .slice(0, 200)
        .toWellFormed() || 'file',
    content: Buffer.from(bytes),
    contentType: isType ? mediaType : 'application/octet-stream',
    contentDisposition: 'attachment' as const,
  }
}

function htmlBody({ text, format }: OutboundMessage): string {
  const clean = cleanText(text).trim()
  if (format === 'markdown') return readMarkdown(clean).map(blockHtml).join('\n')
  const html = readLinks(clean).map(inlineHtml).join('')
  return html === '' ? '' : `<div style="white-space:pre-wrap">${html}</div>`
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'gap':
      return ''
    case 'code':
      return `<pre>${escaped(block.text)}</pre>`
    case 'heading':
      return `<p><b>${htmlOf(block.inlines)}</b></p>`
    case 'quote':
      return `<blockquote>${htmlOf(block.inlines)}</blockquote>`
    case 'item':
      return `<div style="margin-left:${1 + block.depth}em">${block.number === null ? '•' : `${block.number}.`} ${htmlOf(block.inlines)}</div>`
    case 'paragraph':
      return `<p>${htmlOf(block.inlines)}</p>`
  }
}

const htmlOf = (parts: readonly Inline[]): string => parts.map(inlineHtml).join('').replaceAll('\n', '<br>')

function inlineHtml({ text, bold, italic, strike, code, link }: Inline): string {
  let html = escaped(text)
  // The text is the address: nobody is led where they do not read that they are led.
  if (link) html = `<a href="${html}">${html}</a>`
  if (code) html = `<code>${html}</code>`
  if (bold) html = `<b>${html}</b>`
  if (italic) html = `<i>${html}</i>`
  return strike ? `<s>${html}</s>` : html
}

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign)
}
