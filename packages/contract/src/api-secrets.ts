/** Owns the shapes of secrets on the wire. A value goes in and never comes out: no reply has a field for one. */
import { z } from 'zod'
import { holdsMark, secretName, secretsIn } from './secret.ts'

export const SecretName = z
  .string()
  .refine(
    (name) => secretName.test(name),
    'not a name: lower case letters, digits, - and _, with one dot at most, as in smtp.password',
  )

/** Shorter or plainer values would be masked where ordinary text only happens to say the same. */
const shortestValue = 8
const fewestCharacters = 4

export const SecretValue = z
  .string()
  .min(shortestValue)
  .max(65_536)
  .refine((value) => value.isWellFormed(), 'text that cannot be written as UTF-8')
  .refine(
    (value) => new Set(value).size >= fewestCharacters,
    `fewer than ${fewestCharacters} different characters, too plain to be told from other text`,
  )
  .refine(
    (value) => secretsIn(value).length === 0 && !holdsMark(value),
    'the handle or the mark of a secret, not a value',
  )

/** One exact place. A wildcard or a suffix would let whoever owns a neighbouring name have the value. */
export const Destination = z.strictObject({
  scheme: z.enum(['https', 'http']),
  host: z.string().max(253).refine(isExactHost, 'one exact host in ascii, such as api.github.com'),
  port: z.int().min(1).max(65_535),
})
export type Destination = z.infer<typeof Destination>

/** What is told of a secret. */
export const SecretEntry = z.strictObject({
  name: SecretName,
  description: z.string(),
  destinations: z.array(Destination),
  /** The tools that may use it; none named means every tool that reaches a destination. */
  tools: z.array(z.string()),
  createdAt: z.string(),
  rotatedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
})
export type SecretEntry = z.infer<typeof SecretEntry>

export const StoreSecret = z.strictObject({
  value: SecretValue,
  description: z.string().max(500).default(''),
  destinations: z.array(Destination).min(1).max(16),
  tools: z
    .array(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'the name of a tool'))
    .max(64)
    .default([]),
})
export type StoreSecret = z.infer<typeof StoreSecret>

export const RotateSecret = z.strictObject({ value: SecretValue })
export type RotateSecret = z.infer<typeof RotateSecret>

export const SecretStored = z.strictObject({
  secret: SecretEntry,
  /** What a call writes where the value is to go. */
  handle: z.string(),
  /** Whether the name was taken before. */
  replaced: z.boolean(),
  ledger: z.int(),
})
export type SecretStored = z.infer<typeof SecretStored>

export const SecretRemoved = z.strictObject({ name: SecretName, ledger: z.int() })
export type SecretRemoved = z.infer<typeof SecretRemoved>

/** The place as a person writes it, without the port that the scheme implies. */
export function destinationText({ scheme, host, port }: Destination): string {
  const written = host.includes(':') ? `[${host}]` : host
  return port === (scheme === 'https' ? 443 : 80)
    ? `${scheme}://${written}`
    : `${scheme}://${written}:${port}`
}

/** The place that a person wrote, with or without scheme and port; undefined where it is not one exact place. */
export function destinationIn(text: string, usual: Destination['scheme']): Destination | undefined {
  const [, given, host = '', port] =
    /^(?:(https?):\/\/)?(\[[^\]]+\]|[^:/?#@[\]]+)(?::(\d{1,5}))?\/?$/i.exec(text) ?? []
  const scheme = given?.toLowerCase() ?? usual
  const destination = Destination.safeParse({
    scheme,
    host: host.replaceAll(/^\[|\]$/g, '').toLowerCase(),
    port: port === undefined ? (scheme === 'https' ? 443 : 80) : Number(port),
  })
  return destination.success ? destination.data : undefined
}

/** True for the spelling that a URL ends up with, and for no other spelling of the same host. */
function isExactHost(host: string): boolean {
  const isSix = /^[0-9a-f:.]+$/.test(host) && host.includes(':')
  const label = '[a-z0-9_][a-z0-9_-]{0,62}'
  if (!isSix && !new RegExp(`^${label}(?:\\.${label})*$`).test(host)) return false
  return URL.parse(`https://${isSix ? `[${host}]` : host}/`)?.hostname === (isSix ? `[${host}]` : host)
}
