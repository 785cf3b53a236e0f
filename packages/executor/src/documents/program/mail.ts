/** The program for e-mails. Takes apart what a stranger sent; shows of HTML what a reader would see, as text. */
import PostalMime, { type Address, addressParser, type Email, type Mailbox } from 'postal-mime'
import { htmlText } from './html-text.ts'
import { type Json, type Made, Refusal, serve } from './serve.ts'
import { lineOf, shown } from './shown-text.ts'

type Request =
  | { readonly op: 'heads'; readonly lengths: readonly number[] }
  | { readonly op: 'read'; readonly maxCharacters: number }
  | { readonly op: 'attachment'; readonly number: number }

const longest = { line: 1_000, address: 320, name: 255, type: 200, people: 100, references: 50, files: 100 }

await serve<Request>(async (request, bytes) => {
  if (request.op === 'heads') return heads(request.lengths, bytes)
  const mail = await parsed(bytes)
  return request.op === 'read' ? read(mail, request.maxCharacters) : attachment(mail, request.number)
})

function parsed(bytes: Uint8Array<ArrayBuffer>): Promise<Email> {
  return PostalMime.parse(bytes, {
    maxNestingDepth: 64,
    maxHeadersSize: 1_048_576,
    // A letter in a letter is a file: what it says is not what the sender says.
    forceRfc822Attachments: true,
  })
}

async function heads(lengths: readonly number[], bytes: Uint8Array<ArrayBuffer>): Promise<Made> {
  const told: Json[] = []
  let at = 0
  for (const length of lengths) {
    const part = bytes.subarray(at, at + length)
    at += length
    told.push(headOf(await parsed(new Uint8Array(part))))
  }
  return { facts: { heads: told } }
}

function headOf(mail: Email) {
  return {
    from: fromOf(mail),
    to: people(mail.to),
    subject: line(mail.subject),
    date: instant(mail.date),
    messageId: mail.messageId === undefined ? null : line(mail.messageId),
  }
}

/** All that every such header names: one that is there twice, or names two, says two things, and neither is left out. */
function fromOf(mail: Email): Json[] {
  const all = mail.headers.filter(({ key }) => key === 'from')
  return people(all.flatMap(({ value }) => addressParser(value) as Address[]))
}

function people(given: readonly Address[] | undefined): Json[] {
  const flat = (given ?? []).flatMap((one): readonly Mailbox[] => (one.group ? one.group : [one as Mailbox]))
  return flat.slice(0, longest.people).map(({ name, address }) => ({
    name: line(name),
    address: line(address).slice(0, longest.address),
  }))
}

function read(mail: Email, maxCharacters: number): Made {
  const plain = (mail.text ?? '').replaceAll('\r\n', '\n').trim()
  const fromHtml = plain === '' && mail.html !== undefined
  const whole = shown(fromHtml ? htmlText(mail.html ?? '') : plain)
  const text = whole.slice(0, maxCharacters)
  return {
    facts: {
      ...headOf(mail),
      cc: people(mail.cc),
      replyTo: people(mail.replyTo),
      inReplyTo: mail.inReplyTo === undefined ? null : line(mail.inReplyTo),
      references: [...(mail.references ?? '').matchAll(/<[^<>\s]{1,900}>/g)]
        .map(([id]) => id)
        .slice(-longest.references),
      text,
      fromHtml,
      truncated: text.length < whole.length,
      attachments: mail.attachments.slice(0, longest.files).map((file, index) => ({
        number: index + 1,
        name: line(file.filename ?? '').slice(0, longest.name),
        type: line(file.mimeType).slice(0, longest.type),
        size: bytesOf(file.content).length,
        inline: file.related === true || file.disposition === 'inline',
      })),
    },
  }
}

function attachment(mail: Email, number: number): Made {
  const file = mail.attachments[number - 1]
  if (!file) throw new Refusal(`It has ${mail.attachments.length} attachments; there is no number ${number}.`)
  const name = line(file.filename ?? '').slice(0, longest.name)
  return { facts: { name, from: fromOf(mail) }, files: [bytesOf(file.content)] }
}

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}

function line(text: string | undefined): string {
  return lineOf(text, longest.line)
}

function instant(date: string | undefined): string | null {
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
