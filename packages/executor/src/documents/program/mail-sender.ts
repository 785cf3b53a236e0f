/**
 * The program that looks whether an e-mail comes from whom it says. It has no network: what it must know of the DNS is
 * given to it, and what was not given it asks for in its answer.
 */
import { Buffer } from 'node:buffer'
import ipaddr from 'ipaddr.js'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js'
import { spf } from 'mailauth/lib/spf/index.js'
import { type Json, type Made, serve } from './serve.ts'

interface Question {
  readonly type: string
  readonly name: string
}

interface Answer extends Question {
  readonly kind: 'records' | 'none' | 'failed'
  readonly records?: readonly Json[]
}

interface Request {
  readonly op: 'sender'
  readonly answers: readonly Answer[]
}

const most = { questions: 40, signatures: 10, domain: 255, word: 40 }

/** As RFC 5321 has it, and no other form: what the client said of itself must not be taken for its address. */
const clientOf = /^received: from (\S+) \((?:\S+ )?\[(?:IPv6:)?([0-9a-f.:]+)\]\) by /i

/** What a reader is shown of a header, or answers to. */
const shownFields = ['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date']
/** Many sign none of these; that there are such is then said by the version of MIME, which they sign. */
const bodyFields = ['content-type', 'content-transfer-encoding']

function text(value: unknown, longest: number): string {
  return (typeof value === 'string' ? value : '').slice(0, longest)
}

await serve<Request>(async ({ answers }, bytes): Promise<Made> => {
  const { resolver, needed } = knownNames(answers)
  const signed = await dkimVerify(Buffer.from(bytes), { resolver, rejectRsaSha1: true } as object)
  const results = (signed.results ?? [])
    .filter(({ status }) => status.result !== 'none')
    .slice(0, most.signatures)
  const { headers } = signed as unknown as { headers?: Headers }
  const isWhole = wholeUnder(headers?.parsed ?? [])
  const passed = results.filter(({ status }) => status.result === 'pass')
  const given = givenBy(headers?.parsed ?? [])
  const sent = given && (await spf({ ...given, resolver, mta: 'localhost' }))
  const { response, dkimAligned } = await evaluateDmarc({
    headerFrom: signed.headerFrom,
    fromFields: (signed as unknown as { fromFields?: number }).fromFields,
    spfDomains: sent && sent.status.result === 'pass' ? [sent.domain] : [],
    dkimDomains: passed
      .filter(isWhole)
      .map((row) => ({ id: row.id, domain: row.signingDomain, aligned: row.status.aligned })),
    resolver,
  } as unknown as Parameters<typeof evaluateDmarc>[0])
  return {
    facts: {
      needed: needed(),
      domain: response === false ? null : text(response.status.header?.from, most.domain),
      signatures: results.map((row) => ({
        domain: text(row.signingDomain, most.domain),
        result: text(row.status.result, most.word),
        aligned: dkimAligned
          ? dkimAligned.has(String(row.signingDomain).toLowerCase())
          : Boolean(row.status.aligned),
        whole: isWhole(row),
      })),
      spf: sent ? text(sent.status.result, most.word) : null,
      dmarc: response === false ? null : text(response.status.result, most.word),
    },
  }
})

function knownNames(answers: readonly Answer[]) {
  const known = new Map(answers.map((answer) => [`${answer.type} ${answer.name}`, answer]))
  const asked = new Map<string, Question>()
  const resolver = async (name: string, type: string) => {
    const lower = name.toLowerCase()
    const key = `${type} ${lower}`
    const answer = known.get(key)
    if (answer?.kind === 'records') return answer.records as string[]
    if (answer?.kind === 'none') throw Object.assign(new Error('no such record'), { code: 'ENODATA' })
    if (!answer && asked.size < most.questions && lower.length <= most.domain)
      asked.set(key, { type, name: lower })
    throw Object.assign(new Error('not known'), { code: 'ETIMEOUT' })
  }
  return { resolver, needed: () => [...asked.values()].map((question): Json => ({ ...question })) }
}

interface Headers {
  readonly parsed?: readonly HeaderRow[]
}

interface HeaderRow {
  readonly key: string
  readonly line: Buffer | string
}

interface Signed {
  readonly status: { readonly underSized?: number }
  readonly signingHeaders?: { readonly keys?: string }
}

/**
 * Whether a signature is under all that is shown: the whole body, and every line of a header that a reader sees. Whoever
 * passes a signed e-mail on can add a subject, or where an answer goes, and one that was signed once stays under the last.
 */
function wholeUnder(rows: readonly HeaderRow[]): (row: object) => boolean {
  const there = counted(rows.map(({ key }) => key))
  return (row) => {
    const { status, signingHeaders } = row as Signed
    const under = counted((signingHeaders?.keys ?? '').toLowerCase().split(': '))
    const isSigned = (field: string) => (under.get(field) ?? 0) >= (there.get(field) ?? 0)
    const isMime = there.get('mime-version') === 1 && isSigned('mime-version')
    return (
      !status.underSized &&
      shownFields.every(isSigned) &&
      bodyFields.every((field) => isSigned(field) || (isMime && there.get(field) === 1))
    )
  }
}

function counted(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/**
 * Who gave the e-mail to the operator's server, as that server wrote it down: it writes above all that a sender wrote.
 * Nothing where it is not there, or where another computer of the same place stood between.
 */
function givenBy(rows: readonly HeaderRow[]) {
  const at = rows.findIndex(({ key }) => key === 'received')
  const received = rows[at]
  const path = rows.slice(0, Math.max(at, 0)).find(({ key }) => key === 'return-path')
  if (!received || !path) return undefined
  const [, helo = '', ip = ''] = clientOf.exec(String(received.line).replaceAll(/\s+/g, ' ')) ?? []
  if (!ipaddr.isValid(ip) || ipaddr.process(ip).range() !== 'unicast') return undefined
  const sender = /<([^<>\s]*)>/.exec(String(path.line))?.[1]
  if (sender === undefined) return undefined
  return { ip, sender, helo: helo.slice(0, most.domain) }
}
