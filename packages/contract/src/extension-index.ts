/**
 * Owns the form of an index of extensions: a file that anybody can host, in which servers, skills and plugins are named with where
 * they come from and what they ask for. Everything in it is the words of whoever hosts it. Refuses a source that is not pinned.
 */
import { z } from 'zod'
import { extensionName } from './extension.ts'
import { isWrittenAsRead, writtenOtherwise } from './written-address.ts'

export const extensionIndexFormat = 'countersign-extension-index-1'
export const mostIndexEntries = 5_000
export const mostIndexBytes = 5 * 1024 * 1024

const httpsUrl = z
  .url({ protocol: /^https$/ })
  .max(500)
  .refine(isWrittenAsRead, writtenOtherwise)
const words = (most: number) => z.string().max(most)
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/)

/** What is fetched is compared with a hash; a server elsewhere has none, and only its definitions are pinned. */
export const IndexSource = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('npm'),
    package: z
      .string()
      .regex(/^(?:@[\w.-]+\/)?[\w.-]+$/)
      .max(214),
    version: z
      .string()
      .regex(/^\d[\w.+-]*$/)
      .max(64),
    /** Of the tarball, as the registry writes it. */
    integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
  }),
  z.strictObject({
    kind: z.literal('git'),
    url: httpsUrl,
    commit: z.string().regex(/^[0-9a-f]{40}$/),
    /** The folder in the repository; left out, all of it. */
    path: z
      .string()
      .regex(/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/)
      .max(500)
      .exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('archive'),
    /** A `.tar.gz` or a `.zip`. */
    url: httpsUrl,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  z.strictObject({ kind: z.literal('address'), url: httpsUrl }),
])
export type IndexSource = z.infer<typeof IndexSource>

/** What it wants to be given. The operator gives it or does not; the card shows what was given. */
export const IndexAsks = z.strictObject({
  /** After the program. */
  words: z.array(words(500)).max(50).exactOptional(),
  environment: z.record(variable, words(1_000)).exactOptional(),
  /** Folders of the workspace; `path:write` to write too. */
  folders: z.array(words(1_024)).max(10).exactOptional(),
  /** `host` or `host:port`. */
  hosts: z.array(words(260)).max(20).exactOptional(),
  /** By the variable: what the secret is, in words. Which secret it is given is named by the operator. */
  secrets: z.record(variable, words(200)).exactOptional(),
  /** Files of its own, until it is removed. */
  data: z.boolean().exactOptional(),
})
export type IndexAsks = z.infer<typeof IndexAsks>

export const IndexEntry = z
  .strictObject({
    name: z.string().max(64).regex(extensionName, 'lower case words with a hyphen between two'),
    kind: z.enum(['server', 'skill', 'plugin']),
    description: words(500),
    source: IndexSource,
    /** The Ed25519 key of who made it: the raw 32 bytes, base64. */
    publisher: z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/)
      .exactOptional(),
    asks: IndexAsks.exactOptional(),
  })
  .refine(({ kind, publisher }) => kind === 'skill' || publisher === undefined, {
    path: ['publisher'],
    message: 'only a skill is signed by its publisher',
  })
export type IndexEntry = z.infer<typeof IndexEntry>

export const ExtensionIndex = z.strictObject({
  format: z.literal(extensionIndexFormat),
  title: words(200),
  /** Grows with every change. An older one than was seen is refused. */
  version: z.int().min(1),
  /** The Ed25519 key that signs it, the raw 32 bytes in base64: kept at the first use, and held to from then on. */
  key: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/)
    .exactOptional(),
  entries: z.array(IndexEntry).max(mostIndexEntries),
})
export type ExtensionIndex = z.infer<typeof ExtensionIndex>

/** By which the operator calls it. */
export const IndexName = z.string().max(40).regex(extensionName)

/** An index that the operator added. */
export const KeptIndex = z.strictObject({
  name: IndexName,
  /** An address with https, or a path of this computer. */
  place: z.string().min(1).max(2_000),
  /** The raw 32 bytes of an Ed25519 key, base64; null where none was pinned. */
  key: z.string().nullable(),
  /** What was read last: an older one, or another one of that version, is refused. */
  seen: z.strictObject({ version: z.int(), sha256: z.string() }).nullable(),
})
export type KeptIndex = z.infer<typeof KeptIndex>

export const KeptIndexes = z.strictObject({ v: z.literal(1), indexes: z.array(KeptIndex).max(50) })

/** Those that have every word in their name, kind or description; those with a word in their name first. */
export function searchIndex(entries: readonly IndexEntry[], wanted: readonly string[]): IndexEntry[] {
  const lower = wanted.map((word) => word.toLowerCase())
  const found = entries.filter(({ name, kind, description }) => {
    const text = `${name} ${kind} ${description}`.toLowerCase()
    return lower.every((word) => text.includes(word))
  })
  const named = ({ name }: IndexEntry) => lower.some((word) => name.includes(word))
  return found.toSorted((one, other) => Number(named(other)) - Number(named(one)))
}
