/**
 * Owns how a secret's value comes in: typed where nobody sees it, or piped. Never as an argument, which other processes
 * and the shell's history would keep.
 */
import { CountersignError, SecretValue } from '@countersign/contract'
import { hiddenLine } from '../asking/hidden-line.ts'
import { piped } from '../asking/piped.ts'
import type { Context } from '../context.ts'

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
