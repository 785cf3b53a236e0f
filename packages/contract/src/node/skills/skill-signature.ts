/**
 * Owns how a publisher signs a skill: an Ed25519 signature in the form of `ssh-keygen -Y sign`, over its name and the hash of its
 * tree. Refuses other kinds of keys, and signatures that were made for something else.
 */
import { createHash, verify } from 'node:crypto'
import { publicKeyOf } from '../keys.ts'

/** Given to `ssh-keygen` with `-n`, so that no signature on something else counts. */
export const signatureNamespace = 'countersign-skill'
export const longestSignature = 2_000
/** Beside `SKILL.md`, or behind the name of an archive. It is no part of the tree that it signs. */
export const signatureFile = 'SKILL.md.sig'

/** What is signed, as the file that `ssh-keygen` is given. */
export function signedText(name: string, tree: string): string {
  return `countersign skill ${name} ${tree}\n`
}

export type ReadSignature =
  /** The raw 32 bytes of the key, base64. */
  { readonly kind: 'signed'; readonly key: string } | { readonly kind: 'refused'; readonly reason: string }

export function readSignature(signature: string, text: string): ReadSignature {
  const parts = partsOf(signature)
  if (typeof parts === 'string') return refused(parts)
  const { key, namespace, hash, bytes } = parts
  if (namespace !== signatureNamespace)
    return refused(`It was made for something else. Sign with \`-n ${signatureNamespace}\`.`)
  if (hash !== 'sha512' && hash !== 'sha256') return refused('It uses a hash that is not known here.')
  const signed = Buffer.concat([
    Buffer.from(magic),
    ...[namespace, '', hash].map((each) => field(Buffer.from(each))),
    field(createHash(hash).update(text).digest()),
  ])
  return verify(null, signed, publicKeyOf(key), bytes)
    ? { kind: 'signed', key }
    : refused('It does not fit these files under this name: something was changed, or it is for others.')
}

/** As `ssh-keygen -l` prints it. */
export function keyFingerprint(key: string): string {
  const hash = createHash('sha256')
    .update(sshKey(Buffer.from(key, 'base64')))
    .digest('base64')
  return `SHA256:${hash.replace(/=+$/, '')}`
}

const magic = 'SSHSIG'
const kind = 'ssh-ed25519'

interface Parts {
  readonly key: string
  readonly namespace: string
  readonly hash: string
  readonly bytes: Buffer
}

/** A text says what is wrong. */
function partsOf(signature: string): Parts | string {
  const [, body] =
    /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)-----END SSH SIGNATURE-----\s*$/.exec(
      signature.replaceAll('\r\n', '\n'),
    ) ?? []
  if (body === undefined || signature.length > longestSignature)
    return 'It is no signature as `ssh-keygen -Y sign` makes it.'
  const blob = Buffer.from(body, 'base64')
  const fields = fieldsIn(blob.subarray(magic.length + 4))
  const isOurs =
    blob.length > 10 && blob.toString('latin1', 0, 6) === magic && blob.readUInt32BE(magic.length) === 1
  if (!isOurs || fields?.length !== 5) return 'It is damaged.'
  const [ssh = '', namespace = '', reserved = '', hash = '', made = ''] = fields
  const [named, key] = fieldsIn(Buffer.from(ssh, 'latin1')) ?? []
  const [way, bytes] = fieldsIn(Buffer.from(made, 'latin1')) ?? []
  if (named !== kind || way !== kind || key?.length !== 32 || bytes?.length !== 64 || reserved !== '')
    return 'It is not made with an Ed25519 key. Make one with `ssh-keygen -t ed25519`.'
  return {
    key: Buffer.from(key, 'latin1').toString('base64'),
    namespace,
    hash,
    bytes: Buffer.from(bytes, 'latin1'),
  }
}

/** Texts with their length before them, each byte a character. Nothing where they do not fill it. */
function fieldsIn(bytes: Buffer): string[] | undefined {
  const fields: string[] = []
  let at = 0
  while (at < bytes.length) {
    if (at + 4 > bytes.length) return undefined
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    fields.push(bytes.toString('latin1', at + 4, end))
    at = end
  }
  return fields
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function sshKey(raw: Buffer): Buffer {
  return Buffer.concat([field(Buffer.from(kind)), field(raw)])
}

function refused(reason: string): ReadSignature {
  return { kind: 'refused', reason }
}
