/**
 * Owns what is said about who wrote an e-mail: what the checks found, what follows from it, and in which words. A From
 * line is a claim. Nothing here makes anybody more trusted; it only says where a claim is not borne out.
 */
import { domainToASCII } from 'node:url'
import { z } from 'zod'
import type { MailPerson } from './mail-content.ts'

const domain = z.string().max(255)

export const DnsQuestion = z.strictObject({
  type: z.enum(['TXT', 'A', 'AAAA', 'MX', 'PTR', 'CNAME']),
  name: domain,
})
export type DnsQuestion = z.infer<typeof DnsQuestion>

export type DnsAnswer = DnsQuestion &
  (
    | { readonly kind: 'records'; readonly records: readonly DnsRecord[] }
    /** The name has none. */
    | { readonly kind: 'none' }
    /** Nobody could be asked. */
    | { readonly kind: 'failed' }
  )
export type DnsRecord = string | readonly string[] | { readonly exchange: string; readonly priority: number }

/** As the program that looked at the e-mail says it. */
export const SenderFindings = z.strictObject({
  /** What it could not know; the rest is preliminary while there are any. */
  needed: z.array(DnsQuestion).max(64),
  /** The one domain that the From line names; null where it names none or several. */
  domain: domain.nullable(),
  signatures: z
    .array(z.strictObject({ domain, result: z.string().max(40), aligned: z.boolean(), whole: z.boolean() }))
    .max(20),
  /** Null where the server did not write down who gave it the e-mail. */
  spf: z.string().max(40).nullable(),
  dmarc: z.string().max(40).nullable(),
})
export type SenderFindings = z.infer<typeof SenderFindings>

export type SenderResult = 'passed' | 'failed' | 'none' | 'not checked'

export interface SenderCheck {
  readonly domain: string | null
  readonly dkim: SenderResult
  readonly spf: SenderResult
  readonly dmarc: SenderResult
  /** Its domain vouches for it. Says nothing about whether its words are true. */
  readonly proven: boolean
}

export const unchecked: SenderCheck = {
  domain: null,
  dkim: 'not checked',
  spf: 'not checked',
  dmarc: 'not checked',
  proven: false,
}

export function senderCheck({ domain: from, signatures, spf, dmarc }: SenderFindings): SenderCheck {
  const good = signatures.filter(({ result, whole }) => result === 'pass' && whole)
  const dkim = signedResult(signatures, good.length > 0)
  const sent = spfResult(spf)
  const borne = from === null ? 'failed' : dmarcResult(dmarc, [dkim, sent])
  const aligned = good.some((signature) => signature.aligned)
  // Without a rule of the domain, its own signature under the whole e-mail is enough.
  const proven = from !== null && (borne === 'passed' || (borne === 'none' && aligned))
  return { domain: from, dkim, spf: sent, dmarc: borne, proven }
}

/** What was found holds for who is shown: of a From line that two programs read in two ways, nobody is proven. */
export function forThoseShown(check: SenderCheck, from: readonly MailPerson[]): SenderCheck {
  const isShown = from.length > 0 && from.every(({ address }) => domainOf(address) === check.domain)
  return isShown || !check.proven ? check : { ...check, proven: false }
}

/** As it is asked for in the DNS; nothing where it is no address. */
function domainOf(address: string): string | undefined {
  const [, host = ''] = /^[^@\s]+@([^@\s]+)$/.exec(address) ?? []
  return host === '' ? undefined : domainToASCII(host)
}

function signedResult(signatures: SenderFindings['signatures'], isGood: boolean): SenderResult {
  if (isGood) return 'passed'
  if (signatures.length === 0) return 'none'
  return signatures.some(({ result }) => result === 'temperror') ? 'not checked' : 'failed'
}

function spfResult(result: string | null): SenderResult {
  switch (result) {
    case 'pass':
      return 'passed'
    case 'fail':
    case 'softfail':
    case 'permerror':
      return 'failed'
    case 'none':
    case 'neutral':
      return 'none'
    default:
      return 'not checked'
  }
}

/** It fails only where everything that could have borne it out was looked at. */
function dmarcResult(result: string | null, others: readonly SenderResult[]): SenderResult {
  if (result === 'pass') return 'passed'
  if (result === 'none') return 'none'
  if (result !== 'fail') return 'not checked'
  return others.includes('not checked') ? 'not checked' : 'failed'
}

export function senderText(check: SenderCheck): string {
  const { domain: from, dkim, spf, dmarc } = check
  return `${meaning(check)} (DKIM ${dkim}, SPF ${spf}, DMARC ${dmarc}${from === null ? '' : `; From ${from}`})`
}

function meaning({ domain: from, proven, dkim, dmarc }: SenderCheck): string {
  if (proven) return 'proven: its domain vouches for it'
  if (dmarc === 'failed')
    return from === null
      ? 'FAILED: it does not name one sender, treat it as forged'
      : 'FAILED: its domain does not vouch for it, treat it as forged'
  if (dkim === 'not checked' || dmarc === 'not checked') return 'not checked: anybody could have written it'
  return 'not proven: anybody could have written it'
}

/** What is odd about a From line, as far as it can be seen without asking anybody. */
export function senderDoubts(from: readonly MailPerson[]): string[] {
  const [first] = from
  if (!first) return ['it names no sender']
  const others = from.length > 1 ? ['it names several senders'] : []
  return [...others, ...new Set(from.flatMap(doubtsOf))]
}

function doubtsOf({ name, address }: MailPerson): string[] {
  const plain = name.normalize('NFKC')
  const said = /[^\s<>"(),;:]+@[^\s<>"(),;:]+/.exec(plain)?.[0]
  const host = address.slice(address.lastIndexOf('@') + 1)
  return [
    ...(said !== undefined && said.toLowerCase() !== address.toLowerCase()
      ? ['the name looks like another address']
      : []),
    ...(/[^\x20-\x7e]/.test(address) || /(?:^|\.)xn--/i.test(host)
      ? ['the address has letters that can look like others']
      : []),
    ...(/^[^@\s]+@[^@\s]+$/.test(address) ? [] : ['the address is not one']),
  ]
}
