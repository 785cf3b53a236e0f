/** Hashes a text. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, computing } from './computing.ts'

export const hashText = computing({
  name: 'hash_text',
  version: '1',
  description: 'Hash a text with SHA-256 or another algorithm. MD5 and SHA-1 are for comparing files only.',
  group: 'textUtils',
  tags: ['sha256', 'md5', 'sha1', 'sha512', 'checksum', 'digest', 'fingerprint'],
  input: z.strictObject({
    text,
    algorithm: z.enum(['sha256', 'sha384', 'sha512', 'sha3-256', 'sha1', 'md5']).default('sha256'),
    encoding: z.enum(['hex', 'base64']).default('hex'),
  }),
  describe: ({ algorithm }) => `Hash a text with ${algorithm}`,
  compute: ({ text: given, algorithm, encoding }) =>
    answer(createHash(algorithm).update(given).digest(encoding)),
})
