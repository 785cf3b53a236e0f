/** Owns how a password is proved without telling it, and that the server knew it too (RFC 5802). */
import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto'

export type ScramHash = 'sha256' | 'sha1'

export interface Scram {
  readonly first: string
  /** Answers the challenge. */
  answer(challenge: string): string
  /** Throws where the server does not know the password. */
  check(final: string): void
}

const mostRounds = 500_000
const fewestRounds = 4_096

export function createScram(hash: ScramHash, user: string, password: string, nonce: string): Scram {
  const firstBare = `n=${user.normalize('NFKC').replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`
  const mac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest()
  let expected: Buffer | undefined
  return {
    first: `n,,${firstBare}`,
    answer(challenge) {
      const fields = fieldsOf(challenge)
      const salt = Buffer.from(fields.get('s') ?? '', 'base64')
      const rounds = Number(fields.get('i'))
      const both = fields.get('r') ?? ''
      const isSound = both.startsWith(nonce) && both.length > nonce.length && salt.length > 0
      if (!isSound || !(rounds >= fewestRounds && rounds <= mostRounds))
        throw new Error('The server asks for the password in a wrong way.')
      const salted = pbkdf2Sync(password.normalize('NFKC'), salt, rounds, hash === 'sha1' ? 20 : 32, hash)
      const clientKey = mac(salted, 'Client Key')
      const withoutProof = `c=biws,r=${both}`
      const all = `${firstBare},${challenge},${withoutProof}`
      const signature = mac(createHash(hash).update(clientKey).digest(), all)
      expected = mac(mac(salted, 'Server Key'), all)
      const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)))
      return `${withoutProof},p=${proof.toString('base64')}`
    },
    check(final) {
      const given = Buffer.from(fieldsOf(final).get('v') ?? '', 'base64')
      if (!expected || given.length !== expected.length || !timingSafeEqual(given, expected))
        throw new Error('The server could not show that it knows the password.')
    },
  }
}

const fieldsOf = (text: string): Map<string, string> =>
  new Map(text.split(',').map((field) => [field.slice(0, 1), field.slice(2)]))
