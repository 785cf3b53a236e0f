/** Owns how a provider's key comes in: typed where nobody sees it, or piped. Never as an argument. */
import { CountersignError } from '@countersign/contract'
import { hiddenLine } from '../asking/hidden-line.ts'
import type { Context } from '../context.ts'

const longest = 4_096

export interface KeyQuestion {
  readonly question: string
  /** A command that pipes the key in, to be shown where it cannot be asked for. */
  readonly example: string
  /** Enter alone means that there is none. */
  readonly optional: boolean
}

/** `cancelled` when the operator thought better of it; empty where there is none. */
export async function readKey(
  context: Pick<Context, 'host' | 'interactive'>,
  { question, example, optional }: KeyQuestion,
): Promise<{ readonly kind: 'cancelled' } | { readonly kind: 'key'; readonly key: string }> {
  const { input, errors } = context.host
  if (input.isTTY === true && (!context.interactive || input.setRawMode === undefined)) {
    if (optional) return { kind: 'key', key: '' }
    throw new CountersignError('usage', 'A key cannot be typed here, because this is no terminal.', {
      next: `Pipe it in: \`${example}\`.`,
    })
  }
  const typed = input.isTTY === true ? await hiddenLine(input, errors, question) : await piped(input)
  if (typed === undefined) return { kind: 'cancelled' }
  // The file of a service account travels as one word.
  const given = typed.trim()
  const key = given.startsWith('{') ? Buffer.from(given).toString('base64') : given
  if (key === '' && !optional)
    throw new CountersignError('usage', 'The input has no key.', {
      next: `Pipe it in: \`${example}\`.`,
    })
  if (key.length > longest || /[^\x21-\x7e]/.test(key))
    throw new CountersignError(
      'usage',
      'That is not a key: a key is one word of letters, digits and signs.',
      {
        next: 'Copy it again from the provider. Nothing was stored.',
      },
    )
  return { kind: 'key', key }
}

async function piped(input: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const part of input) {
    text += Buffer.from(part).toString('utf8')
    // Room for the line breaks around it; anything longer is refused as it is.
    if (text.length > longest * 2) break
  }
  return text
}
