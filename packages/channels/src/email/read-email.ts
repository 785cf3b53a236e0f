/** Owns how an e-mail becomes an event: read, its writer proven or not, and its files named so that they are found again. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attachment } from 'postal-mime'
import type { InboundEvent, InboundFile } from '../frame/events.ts'
import type { DnsRecords } from './dns.ts'
import { fileRef } from './files.ts'
import { contentOf, type Letter, lineOf, readLetter } from './letter.ts'
import { isMachineMade } from './machine-made.ts'
import { type ProofParts, proveSender, type SenderProof } from './sender-proof.ts'
import { threadName } from './thread.ts'

export interface RawMail {
  readonly uid: number
  readonly validity: string
  readonly bytes: Uint8Array
  /** Not where it was too large: then it is the head alone. */
  readonly isWhole: boolean
  readonly received: Date
}

export interface EmailReading {
  /** Undefined where it is nothing for us. */
  readonly chat: Promise<string | undefined>
  readonly event: Promise<InboundEvent | undefined>
}

export type ReadEmail = (mail: RawMail) => EmailReading

export interface ReadParts {
  readonly own: string
  readonly records: DnsRecords
  readonly signal: AbortSignal
  /** For whoever has to be asked about one e-mail, however often. Its writer chose whom. */
  readonly patienceMs: number
}

const mostFiles = 20
const askAgainMs = 2_000
const mostTries = 3

export function createReadEmail(parts: ReadParts): ReadEmail {
  return (mail) => {
    // What cannot be taken apart within its bounds is nothing that somebody wrote to us.
    const letter = readLetter(mail.bytes).catch(() => undefined)
    return {
      chat: letter.then((read) => read?.from.address),
      event: letter
        .then((read) => read && eventOf(mail, read, parts))
        .catch((error: unknown) => {
          // At the end of the channel it is read again; whatever else fails fails each time.
          if (parts.signal.aborted) throw error
          return undefined
        }),
    }
  }
}

async function eventOf(mail: RawMail, letter: Letter, parts: ReadParts): Promise<InboundEvent> {
  const bot = isMachineMade(letter, parts.own)
  const proof = await proofOf(mail, letter, bot, parts)
  const { proven, id } = proof
  const { address, name } = letter.from
  return {
    type: 'message',
    id,
    chat: { id: address, kind: 'private', title: name },
    at: mail.received.toISOString(),
    sender: { id: address, name, proven, bot },
    text: letter.text,
    thread: threadName(letter, proof),
    addressed: true,
    forwarded: letter.isForwarded,
    files: letter.files.slice(0, mostFiles).map((file, index) => fileOf(mail, letter, file, index)),
  }
}

/** Nobody is asked about what a program wrote; and whoever keeps us waiting for an answer is not proven. */
async function proofOf(mail: RawMail, letter: Letter, bot: boolean, parts: ReadParts): Promise<SenderProof> {
  const { own, signal } = parts
  const patience = AbortSignal.any([signal, AbortSignal.timeout(parts.patienceMs)])
  const records = askedWithin(patience, parts.records)
  const whole: ProofParts = { raw: mail.bytes, letter, own, received: mail.received, records }
  const nobody = async (): Promise<never> => {
    throw Object.assign(new Error('Nobody is asked.'), { code: 'ENODATA' })
  }
  if (bot || !mail.isWhole) return proveSender({ ...whole, own: '', records: nobody })
  for (let tries = 1; tries < mostTries && !patience.aborted; tries += 1) {
    try {
      return await proveSender(whole)
    } catch {
      await pause(askAgainMs * tries, undefined, { signal: patience }).catch(() => undefined)
      signal.throwIfAborted()
    }
  }
  return proveSender(whole).catch(() => proveSender({ ...whole, own: '', records: nobody }))
}

function askedWithin(patience: AbortSignal, records: DnsRecords): DnsRecords {
  const over = new Promise<never>((_, reject) => {
    const end = () => reject(Object.assign(new Error('It took too long.'), { code: 'ETIMEOUT' }))
    if (patience.aborted) end()
    else patience.addEventListener('abort', end, { once: true })
  })
  // Nobody may be waiting when it comes.
  over.catch(() => undefined)
  return (name, type) => Promise.race([over, records(name, type)])
}

function fileOf(mail: RawMail, { messageId }: Letter, file: Attachment, index: number): InboundFile {
  const bytes = contentOf(file)
  const ending = /^\w+\/(\w{1,10})$/.exec(file.mimeType)?.[1] ?? 'bin'
  const name = lineOf(file.filename ?? '')
    .slice(0, 300)
    .toWellFormed()
  return {
    ref: fileRef({
      messageId,
      validity: mail.validity,
      uid: mail.uid,
      index,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }),
    name: name === '' ? `file-${index + 1}.${ending}` : name,
    bytes: bytes.byteLength,
    voice: false,
  }
}
