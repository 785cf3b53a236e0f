/** Owns how people of a domain write e-mails in tests: composed as programs do, and signed as their server does. */
import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { absent, type DnsRecords } from '../dns.ts'

export interface SigningKey {
  readonly privateKey: string
  /** As it stands in the DNS. */
  readonly record: string
}

export function createSigningKey(): SigningKey {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const key = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  return { privateKey, record: `v=DKIM1; k=rsa; p=${key}` }
}

export interface SignOptions {
  readonly domain: string
  readonly key: SigningKey
  readonly change?: Readonly<Record<string, unknown>>
}

export async function signed(
  raw: string | Buffer,
  { domain, key, change = {} }: SignOptions,
): Promise<string> {
  const text = raw.toString().replaceAll(/\r?\n/g, '\r\n')
  const { signatures } = await dkimSign(Buffer.from(text), {
    signatureData: [{ signingDomain: domain, selector: 'one', privateKey: key.privateKey, ...change }],
  } as unknown as Parameters<typeof dkimSign>[1])
  return `${signatures}${text}`
}

/** What these domains say, and of no other anything. */
export function recordsOf(zone: Readonly<Record<string, string>>): DnsRecords {
  return async (name, type) => {
    const record = type === 'TXT' ? zone[name] : undefined
    if (record === undefined) throw absent()
    if (record === 'silent') throw Object.assign(new Error('nobody answers'), { code: 'ETIMEOUT' })
    return [[record]]
  }
}
