/** `countersign why`: the chain from an effect back to a person, nearest first. */
import { CountersignError, ShortIdKind, type Why } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { clockTime } from '../output/time.ts'

export const why: Handler = async (context, [anything = '']) => {
  const found = await whyOf(context, anything)
  return done({ ...found }, whyText(found, context))
}

/** As it was typed, else as the short form of an id or the whole path of a file of the workspace. */
export async function whyOf(context: Pick<Context, 'gateway' | 'paths'>, ref: string): Promise<Why> {
  const { client } = await context.gateway()
  try {
    return await client.why(ref)
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code !== 'not_found') throw error
    const meant = await meantBy(context, client, ref)
    if (meant === undefined) throw error
    return client.why(meant)
  }
}

async function meantBy(
  context: Pick<Context, 'paths'>,
  client: Client,
  ref: string,
): Promise<string | undefined> {
  const { workspace } = await context.paths()
  if (ref.startsWith(`file:${workspace}/`)) return `file:${ref.slice(`file:${workspace}/`.length)}`
  const [, given, part] = /^(?:([a-z]+)_)?([0-9a-f]{4,32})$/.exec(ref) ?? []
  const kind = given === undefined ? undefined : ShortIdKind.safeParse(given).data
  if (part === undefined || (given !== undefined && kind === undefined)) return undefined
  const { ids } = await client.ids(part, kind)
  if (ids.length < 2) return ids[0]
  throw new CountersignError('usage', `${line(ref)} could be any of ${ids.map(line).join(', ')}.`, {
    next: 'Type more of it.',
  })
}

const machinery: ReadonlySet<string> = new Set(['permit', 'proposal', 'run'])

export function whyText(why: Why, context: Pick<Context, 'moment'>): string {
  if (why.chain.length === 0) return `Nothing is recorded about ${line(why.subject)}.`
  // Every step is in the JSON document; a person asks who, what and by which rule.
  const told = why.chain.filter(({ what }) => !machinery.has(what))
  const rows = (told.length === 0 ? why.chain : told).map((link) => [
    link.at === null ? '' : clockTime(link.at, context.moment()),
    line(link.sentence),
    link.ledger === null ? '' : `#${link.ledger}`,
  ])
  return `${line(why.subject)}\n${columns(rows)}`
}
