/** Owns ids as people type them: with or without their kind, whole or in part. Anything that names nothing is not found. */
import { CountersignError, type ShortIdKind } from '@countersign/contract'
import type { CommandRow } from './command-row.ts'
import type { Context, OptionValues } from './context.ts'
import { line } from './output/safe-text.ts'

const nouns: Readonly<Record<ShortIdKind, { readonly one: string; readonly list: string }>> = {
  ses: { one: 'session', list: 'countersign session list' },
  run: { one: 'run', list: 'countersign run list' },
  call: { one: 'call', list: 'countersign run list' },
  apr: { one: 'request', list: 'countersign approval list' },
  q: { one: 'question', list: 'countersign question list' },
  gr: { one: 'grant', list: 'countersign grant list' },
  goal: { one: 'goal', list: 'countersign goal list --all' },
  mem: { one: 'memory', list: 'countersign memory list' },
}

const wholeLength = 32
const shownLength = 8
const leastLength = 4

/** How an id stands in a list: its end, since ids of the same hour begin alike. It can be typed as it stands. */
export function shortId(id: string): string {
  return id.slice(-shownLength)
}

/** The arguments and options with whole ids, where the row says that they are ids. */
export async function withWholeIds(
  context: Context,
  row: CommandRow,
  args: readonly string[],
  options: OptionValues,
): Promise<{ args: string[]; options: OptionValues }> {
  const rowAt = (at: number) => row.arguments[at] ?? lastMany(row)
  const wholeArgs = await Promise.all(
    args.map((text, at) => wholeId(context, text, rowAt(at)?.id, rowAt(at)?.orName)),
  )
  const changed: Record<string, string> = {}
  for (const { flags, id, orName } of row.options) {
    const name = /--([\w-]+)/.exec(flags)?.[1] ?? ''
    const value = options[name]
    if (id !== undefined && typeof value === 'string')
      changed[name] = (
        await Promise.all(value.split(',').map((each) => wholeId(context, each, id, orName)))
      ).join(',')
  }
  return { args: wholeArgs, options: { ...options, ...changed } }
}

function lastMany(row: CommandRow) {
  const last = row.arguments.at(-1)
  return last?.many === true ? last : undefined
}

/** Fails where nothing, or more than one thing, is meant. What may be a name is taken for an id only if it looks like one. */
export async function wholeId(
  context: Pick<Context, 'gateway'>,
  text: string,
  kind: ShortIdKind | undefined,
  orName = false,
): Promise<string> {
  if (kind === undefined) return text
  const [, given, part = ''] = /^(?:([a-z]+)_)?([0-9a-f]+)$/.exec(text.trim().toLowerCase()) ?? []
  if (given === kind && part.length === wholeLength) return `${kind}_${part}`
  const least = orName && given === undefined ? shownLength : leastLength
  const isPart = (given === undefined || given === kind) && part.length >= least && part.length <= wholeLength
  const ids = isPart ? await idsWith(context, part, kind) : undefined
  // What cannot be an id, or cannot be asked about now, is for the command to refuse in its own order.
  if (ids === undefined) return text
  const { one, list } = nouns[kind]
  const [first, ...others] = ids
  if (first === undefined && orName) return text
  if (first === undefined)
    throw new CountersignError('not_found', `There is no ${one} ${line(text)}.`, {
      next: `See what there is with \`${list}\`.`,
    })
  if (others.length > 0)
    throw new CountersignError('usage', `${line(text)} could be any of ${ids.map(line).join(', ')}.`, {
      next: 'Type more of it.',
      details: { candidates: ids },
    })
  return first
}

async function idsWith(
  context: Pick<Context, 'gateway'>,
  part: string,
  kind: ShortIdKind,
): Promise<string[] | undefined> {
  try {
    return (await (await context.gateway()).client.ids(part, kind)).ids
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'gateway_unreachable') return undefined
    throw error
  }
}
