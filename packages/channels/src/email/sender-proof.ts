/**
 * Owns whether an e-mail was written by whom it names: DMARC must pass by a signature of the writer's own domain, under
 * everything that is shown. The address of a server (SPF) is no proof here, for it says nothing of the words.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js'
import { type BodyForm, hasOneForm } from './body-form.ts'
import { boundedRecords, type DnsRecords } from './dns.ts'
import type { Letter } from './letter.ts'

export interface SenderProof {
  readonly proven: boolean
  /** The same for every copy of the same words: whoever shows an e-mail once more has nothing new. */
  readonly id: string
  /** Of the lines that place it among others: those of which none is there that its writer did not sign. */
  readonly signed: readonly PlacingField[]
}

const placingFields = ['message-id', 'in-reply-to', 'references'] as const
export type PlacingField = (typeof placingFields)[number]

export interface ProofParts {
  readonly raw: Uint8Array
  readonly letter: Letter
  /** Our own address. What was written to somebody else was not said to us. */
  readonly own: string
  /** When the server took it. */
  readonly received: Date
  readonly records: DnsRecords
}

const most = { names: 40, signatures: 10, header: 10_000 }
/** So long on its way; later somebody shows it once more. */
const freshMs = { past: 5 * 24 * 60 * 60_000, ahead: 24 * 60 * 60_000 }

/** What a reader is shown of a header, or answers to. */
const shownFields = ['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date', 'in-reply-to', 'references']
const countedFields = ['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date']
/** How the body is read. */
const bodyFields = ['content-type', 'content-transfer-encoding']
/** What is there twice says two things, whether signed or not. */
const onceFields = ['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date', 'message-id', ...bodyFields]

export async function proveSender(parts: ProofParts): Promise<SenderProof> {
  const { raw, letter } = parts
  const good = isClear(parts) ? await goodSignature(parts) : undefined
  if (!good) return { proven: false, id: identity('claimed', raw, letter, true), signed: [] }
  const { signed } = good
  return { proven: true, id: identity('proven', raw, letter, signed.includes('message-id')), signed }
}

/** What needs no signature to be told. */
function isClear({ letter, own, received }: ProofParts): boolean {
  const { headers, to } = letter
  if (onceFields.some((field) => (headers.get(field)?.length ?? 0) > 1)) return false
  const date = Date.parse(headers.get('date')?.[0] ?? '')
  const age = received.getTime() - date
  const isFresh = age < freshMs.past && age > -freshMs.ahead
  const isShort = shownFields.every((field) => (headers.get(field)?.[0] ?? '').length <= most.header)
  return isFresh && isShort && to.includes(own) && onlyAddress(headers.get('from')?.[0] ?? '')
}

/** A From line of the plain form: perhaps a name, and one address. Comments, groups and routes are read in many ways. */
function onlyAddress(from: string): boolean {
  const line = from.trim()
  return /^(?:"(?:[^"\\\r\n]|\\.){0,500}"|[^"<>()@,;:\\]{0,500})\s*<[^\s<>()",;:\\]+@[^\s<>()",;:\\@]+>$|^[^\s<>()",;:\\]+@[^\s<>()",;:\\@]+$/.test(
    line,
  )
}

interface Signed {
  readonly id: string
  readonly signingDomain: string
  readonly status: {
    readonly result: string
    readonly aligned?: string | false
    readonly underSized?: number
  }
  readonly signingHeaders?: { readonly keys?: string }
}

interface Verified {
  readonly headerFrom: readonly string[]
  readonly fromFields: number
  readonly results: readonly Signed[]
  readonly headers?: { readonly parsed?: readonly { readonly key: string }[] }
}

type DmarcFound = Awaited<ReturnType<typeof evaluateDmarc>> & {
  /** The domains that signed and are the writer's own. */
  readonly dkimAligned?: ReadonlySet<string>
}

/** Throws where somebody who had to be asked did not answer. */
async function goodSignature({
  raw,
  letter,
  records,
}: ProofParts): Promise<Pick<SenderProof, 'signed'> | undefined> {
  const state = { failed: false }
  const bounded = boundedRecords(records, most.names)
  const resolver = async (name: string, type: string) => {
    try {
      return await bounded(name, type)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ETIMEOUT' || code === 'ESERVFAIL' || code === 'ECONNREFUSED') state.failed = true
      // Some libraries know only one word for it.
      throw code === 'ENOTFOUND' ? Object.assign(new Error('none'), { code: 'ENODATA' }) : error
    }
  }
  if ((letter.headers.get('dkim-signature')?.length ?? 0) > most.signatures) return undefined
  const verified = (await dkimVerify(Buffer.from(raw), {
    resolver,
    rejectRsaSha1: true,
  } as object)) as unknown as Verified
  const there = counted((verified.headers?.parsed ?? []).map(({ key }) => key))
  const passed = verified.results.filter(({ status }) => status.result === 'pass')
  const isOneForm = hasOneForm(formOf(raw, letter))
  const whole = passed.filter((signed) => isWhole(signed, there, isOneForm))
  if (whole.length > 0) {
    const { response, dkimAligned } = (await evaluateDmarc({
      headerFrom: verified.headerFrom,
      fromFields: verified.fromFields,
      spfDomains: [],
      dkimDomains: whole.map(({ id, signingDomain, status }) => ({
        id,
        domain: signingDomain,
        aligned: status.aligned,
      })),
      resolver,
    } as unknown as Parameters<typeof evaluateDmarc>[0])) as unknown as DmarcFound
    if (response !== false && response.status.result === 'pass') {
      const isShown =
        String(response.status.header?.from ?? '').toLowerCase() === domainOf(letter.from.address) &&
        verified.headerFrom.length === 1 &&
        verified.headerFrom[0]?.toLowerCase() === letter.from.address
      if (!isShown) return undefined
      // Whoever passes it on can sign it too, by a domain of theirs.
      const own = whole.filter(({ signingDomain }) => dkimAligned?.has(signingDomain.toLowerCase()))
      const unders = own.map((one) => counted(keysOf(one)))
      return {
        signed: placingFields.filter((field) => unders.some((under) => isSigned(under, there, field))),
      }
    }
  }
  if (state.failed) throw new Error('The DNS did not answer.')
  return undefined
}

/**
 * Whether a signature is under the whole body and every line of a header that a reader sees. Whoever passes a signed
 * e-mail on can add a subject, or where an answer goes, and one that was signed once stays under the last.
 */
function isWhole(signed: Signed, there: Counts, isOneForm: boolean): boolean {
  const under = counted(keysOf(signed))
  const isUnder = (field: string): boolean => isSigned(under, there, field)
  // A line that is named and is not there cannot have been taken away.
  const isNamed = (field: string): boolean => under.has(field) && isUnder(field)
  return !signed.status.underSized && countedFields.every(isUnder) && (isOneForm || bodyFields.every(isNamed))
}

type Counts = ReadonlyMap<string, number>

const isSigned = (under: Counts, there: Counts, field: string): boolean =>
  (under.get(field) ?? 0) >= (there.get(field) ?? 0)

function keysOf({ signingHeaders }: Signed): string[] {
  return (signingHeaders?.keys ?? '').toLowerCase().split(': ')
}

function counted(keys: readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** Of what was signed alone, in the form that leaves a signature good: spaces and line ends may change on the way. */
function identity(kind: string, raw: Uint8Array, { from, headers }: Letter, withMessageId: boolean): string {
  const hash = createHash('sha256').update(`${kind}\n${from.address}\n`)
  for (const field of [...countedFields, ...(withMessageId ? ['message-id'] : [])])
    for (const value of headers.get(field) ?? [])
      hash.update(`${field}:${value.replaceAll(/\s+/g, ' ').trim()}\n`)
  return hash.update('\n').update(canonicalBody(raw)).digest('hex').slice(0, 40)
}

function formOf(raw: Uint8Array, { headers }: Letter): BodyForm {
  const [type, encoding] = bodyFields.map((field) => headers.get(field)?.[0])
  return { type, encoding, body: bodyOf(raw) }
}

function bodyOf(raw: Uint8Array): string {
  const text = Buffer.from(raw).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  return text.slice(end ? end.index + end[0].length : text.length).replaceAll('\r\n', '\n')
}

function canonicalBody(raw: Uint8Array): string {
  return bodyOf(raw)
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(' \n', '\n')
    .trimEnd()
}
