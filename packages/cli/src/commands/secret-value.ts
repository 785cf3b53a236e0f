/**
 * Owns how a secret's value comes in: typed where nobody sees it, or piped. Never as an argument, which other processes
 * and the shell's history would keep.
 */
import { CountersignError, SecretValue } from '@countersign/contract'
import { hiddenLine } from '../asking/hidden-line.ts'
import type { Context } from '../context.ts'
import type { InputStream } from '../host.ts'

const longestPipe = 400_000

/** Nothing when the operator thought better of it. */
export async function readSecretValue(
  context: Pick<Context, 'host' | 'interactive'>,
  question: string,
): Promise<string | undefined> {
  const { input, errors } = context.host
  const value = input.isTTY === true ? await typed(context, question) : await piped(input)
  if (value === undefined) {
    errors.write('\n')
    return undefined
  }
  const parsed = SecretValue.safeParse(value)
  if (parsed.success) return parsed.data
  const problem = parsed.error.issues.map(({ message }) => message).join('; ')
  throw new CountersignError('usage', `That cannot be a secret: ${problem}.`, {
    next: 'A value has 8 to 65,536 characters. Nothing was stored.',
  })
}

async function typed(
  { host, interactive }: Pick<Context, 'host' | 'interactive'>,
  question: string,
): Promise<string | undefined> {
  if (!interactive || host.input.setRawMode === undefined) {
    throw new CountersignError('usage', 'A value cannot be typed here, because this is no terminal.', {
      next: 'Pipe it in, for example: `countersign secret set … < file`.',
    })
  }
  return hiddenLine(host.input, host.errors, question)
}

/** All of it, but for the line break that `echo` and editors put at the end. */
async function piped(input: InputStream): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of input) {
    const bytes = Buffer.from(part)
    length += bytes.length
    if (length > longestPipe)
      throw new CountersignError('usage', 'That is far too long for a secret.', {
        next: 'Nothing was stored.',
      })
    parts.push(bytes)
  }
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
