/** Owns reading secrets that come from another program, up to a bound. */
import { CountersignError } from '@countersign/contract'
import type { InputStream } from '../host.ts'

const longestPipe = 400_000

/** All of it, but for the line break that `echo` and editors put at the end. */
export async function piped(input: InputStream): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of input) {
    const bytes = Buffer.from(part)
    length += bytes.length
    if (length > longestPipe)
      throw new CountersignError('usage', 'That is far too long for secrets.', {
        next: 'Nothing was stored.',
      })
    parts.push(bytes)
  }
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
