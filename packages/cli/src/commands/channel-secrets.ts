/**
 * Owns how the secrets of a channel come in: each typed where nobody sees it, or piped. A pipe holds the only one, or a
 * line `name=value` for each. Never as an argument, which other processes and the shell's history would keep.
 */
import { type ChannelKindView, CountersignError, SecretValue } from '@countersign/contract'
import { hiddenLine } from '../asking/hidden-line.ts'
import { piped } from '../asking/piped.ts'
import type { Context } from '../context.ts'
import { line } from '../output/safe-text.ts'

type Asked = ChannelKindView['secrets'][number]

export interface SecretsWish {
  readonly secrets: readonly Asked[]
  /** They are in the vault already, and stay there where nothing is given. */
  readonly kept: boolean
}

/** By their names; undefined when the operator thought better of it. */
export async function readChannelSecrets(
  context: Pick<Context, 'host' | 'interactive'>,
  { secrets, kept }: SecretsWish,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (secrets.length === 0) return {}
  const { input } = context.host
  const given =
    input.isTTY === true ? await typed(context, { secrets, kept }) : readPiped(await piped(input), secrets)
  if (given === undefined) return undefined
  for (const { name, optional } of secrets)
    if (given[name] === undefined && !optional && !kept)
      throw new CountersignError('usage', `The secret ${line(name)} is missing.`, { next: pipeHint(secrets) })
  return given
}

async function typed(
  { host, interactive }: Pick<Context, 'host' | 'interactive'>,
  { secrets, kept }: SecretsWish,
): Promise<Record<string, string> | undefined> {
  if (!interactive || host.input.setRawMode === undefined) {
    if (kept || secrets.every(({ optional }) => optional)) return {}
    throw new CountersignError('usage', 'A secret cannot be typed here, because this is no terminal.', {
      next: pipeHint(secrets),
    })
  }
  const given: Record<string, string> = {}
  for (const { name, label, optional } of secrets) {
    const empty = kept ? ', Enter keeps it' : optional ? ', Enter for none' : ''
    const value = await hiddenLine(host.input, host.errors, `${line(label)} (hidden${empty}): `)
    if (value === undefined) return undefined
    if (value !== '') given[name] = secretIn(name, value)
    else if (empty === '') return undefined
  }
  return given
}

function readPiped(text: string, secrets: readonly Asked[]): Record<string, string> {
  if (text === '') return {}
  const [only, ...more] = secrets
  if (only && more.length === 0 && !text.startsWith(`${only.name}=`))
    return { [only.name]: secretIn(only.name, text) }
  const given: Record<string, string> = {}
  for (const each of text.split(/\r?\n/).filter((part) => part.trim() !== '')) {
    const at = each.indexOf('=')
    const name = each.slice(0, Math.max(at, 0)).trim()
    if (!secrets.some((secret) => secret.name === name))
      throw new CountersignError('usage', 'A line of the input does not begin with the name of a secret.', {
        next: pipeHint(secrets),
      })
    given[name] = secretIn(name, each.slice(at + 1))
  }
  return given
}

function secretIn(name: string, value: string): string {
  const parsed = SecretValue.safeParse(value)
  if (parsed.success) return parsed.data
  const problem = parsed.error.issues.map(({ message }) => message).join('; ')
  throw new CountersignError('usage', `That cannot be the secret ${line(name)}: ${problem}.`, {
    next: 'A value has 8 to 65,536 characters. Nothing was stored.',
  })
}

function pipeHint(secrets: readonly Asked[]): string {
  const names = secrets.map(({ name }) => line(name))
  return names.length === 1
    ? `Pipe it in, for example: \`countersign channel add … < file\`.`
    : `Pipe in a line for each: ${names.map((name) => `${name}=…`).join(', ')}.`
}
