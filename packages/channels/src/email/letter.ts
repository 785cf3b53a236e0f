/**
 * Owns how an e-mail is taken apart: who says they wrote it, what they wrote, and what hangs on it. Everything in it is
 * what a stranger chose; nothing here believes it.
 */
import PostalMime, {
  type Address,
  type Attachment,
  addressParser,
  type Email,
  type Mailbox,
} from 'postal-mime'
import { htmlWords } from './html-words.ts'
import { mailAddress } from './manifest.ts'
import { ownWords } from './own-words.ts'

export interface Letter {
  readonly from: LetterFrom
  /** Everybody whom it names as its readers. */
  readonly to: readonly string[]
  readonly messageId: string | null
  /** The first of the line of e-mails that it answers. */
  readonly answers: string | null
  readonly subject: string
  readonly text: string
  readonly isForwarded: boolean
  readonly files: readonly Attachment[]
  /** By their names in small letters; one that is there twice has two values. */
  readonly headers: ReadonlyMap<string, readonly string[]>
}

export interface LetterFrom {
  readonly address: string
  readonly name: string
}

const limits = { maxNestingDepth: 50, maxHeadersSize: 1_000_000, forceRfc822Attachments: true }

/** Undefined where it does not name exactly one writer: then nobody can be answered. */
export async function readLetter(raw: Uint8Array): Promise<Letter | undefined> {
  const parser = new PostalMime(limits)
  const mail = await parser.parse(raw)
  const from = fromOf(mail)
  if (!from) return undefined
  const headers = new Map<string, string[]>()
  for (const { key, value } of mail.headers) headers.set(key, [...(headers.get(key) ?? []), value])
  const subject = lineOf(mail.subject ?? '').slice(0, 500)
  const { text, isForwarded } = ownWords(wordsOf(parser), subject)
  return {
    from,
    to: mailboxes([...valuesOf(mail, 'to'), ...valuesOf(mail, 'cc')]).map(({ address }) =>
      asciiAddress(address),
    ),
    messageId: messageIdIn(headers.get('message-id')),
    answers: firstAnswered(headers),
    subject,
    text,
    isForwarded,
    // A calendar entry or a letter in a letter is a file too; a picture that only adorns is none.
    files: mail.attachments.filter(({ related }) => related !== true),
    headers,
  }
}

/** All that every From line names. One that is there twice, or names two, says two things. */
function fromOf(mail: Email): LetterFrom | undefined {
  const [one, ...others] = mailboxes(valuesOf(mail, 'from'))
  if (!one || others.length > 0) return undefined
  const address = asciiAddress(one.address)
  if (!mailAddress.test(address)) return undefined
  const name = lineOf(one.name).slice(0, 300)
  // Whoever calls themselves by an address wants to be taken for somebody else.
  return { address, name: name.includes('@') ? address : name }
}

function valuesOf({ headers }: Email, key: string): Address[] {
  return headers.filter((header) => header.key === key).flatMap(({ value }) => addressParser(value))
}

function mailboxes(addresses: readonly Address[]): Mailbox[] {
  return addresses.flatMap((one) => (one.group ? one.group : [one]))
}

/** As it is compared: in small letters, and with the name of its server as it stands in the DNS. */
function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const host = URL.parse(`http://${address.slice(at + 1)}`)
  const isPlain = /^[^/?#@:\s[\]]+$/.test(address.slice(at + 1))
  return at > 0 && host && isPlain ? `${address.slice(0, at).toLowerCase()}@${host.hostname}` : ''
}

const messageId = /<[!-;=?-~]{1,200}>/
export const messageIdForm: RegExp = new RegExp(`^${messageId.source}$`)

function messageIdIn(values: readonly string[] | undefined): string | null {
  const [id = ''] = values?.length === 1 ? values.map((value) => value.trim()) : []
  return messageIdForm.test(id) ? id : null
}

/** As programs for mail hand on the whole line; some name the last one only, or say something beside it. */
function firstAnswered(headers: Letter['headers']): string | null {
  const named = ['references', 'in-reply-to'].flatMap((field) => headers.get(field) ?? [])
  return named.map((line) => messageId.exec(line)?.[0]).find((id) => id !== undefined) ?? null
}

interface TextEntry {
  readonly type: string
  readonly value: unknown
}

/**
 * Of each part the plain words, and where it has none the HTML as it is shown. The library would join both, with what
 * HTML hides; which part said what it keeps to itself.
 */
function wordsOf(parser: PostalMime): string {
  const { textMap } = parser as unknown as {
    readonly textMap: ReadonlyMap<
      unknown,
      { readonly plain?: readonly TextEntry[]; readonly html?: readonly TextEntry[] }
    >
  }
  return [...textMap.values()]
    .map(({ plain, html }) => (plain ? joined(plain) : htmlWords(joined(html ?? []))))
    .join('\n')
}

function joined(entries: readonly TextEntry[]): string {
  return entries
    .map(({ type, value }) => (type === 'text' && typeof value === 'string' ? value : ''))
    .join('\n')
}

export function lineOf(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu, '')
    .trim()
    .toWellFormed()
}

export function contentOf({ content }: Attachment): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}
