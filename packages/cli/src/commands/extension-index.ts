/**
 * `countersign extension index` and `extension search`: the indexes that the operator chose, and what is named in them. There is no
 * index at first, because there is none that we could vouch for. What an index says is the words of whoever hosts it.
 */
import { resolve } from 'node:path'
import {
  errorCatalogue,
  type IndexEntry,
  IndexName,
  type KeptIndex,
  searchIndex,
} from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { keepIndexes, keptIndexes } from '../extension-indexes/kept.ts'
import { isAddress, readIndex } from '../extension-indexes/read-index.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line, quote } from '../output/safe-text.ts'

const command = 'extension index'

export const index: Handler = async (context, [action = 'list', name = '', place = ''], { key }) => {
  const kept = keptIndexes(await context.paths())
  switch (action) {
    case 'list':
      return listed(kept)
    case 'add':
      return added(context, kept, { name, place, key: typeof key === 'string' ? key : null })
    case 'rm':
      return removed(context, kept, name)
    default:
      return usage(`There is no action ${line(action)}, only list, add and rm.`, command)
  }
}

const noIndex =
  'No index is added. There is none at first, because nobody could vouch for it. Add one whose host you trust: `countersign extension index add NAME https://…`.'

function listed(kept: readonly KeptIndex[]): CommandAnswer {
  return done({ indexes: kept }, () =>
    kept.length === 0
      ? noIndex
      : columns([
          ['Index', 'At', 'Key', 'Seen'],
          ...kept.map(({ name, place, key, seen }) => [
            line(name),
            line(place),
            key === null ? 'none' : key,
            seen === null ? 'never' : `version ${seen.version}`,
          ]),
        ]),
  )
}

async function added(
  context: Context,
  kept: readonly KeptIndex[],
  { name, place, key }: Pick<KeptIndex, 'name' | 'place' | 'key'>,
): Promise<CommandAnswer> {
  if (!IndexName.safeParse(name).success)
    return usage('Give it a name of lower case words with a hyphen between two, such as house.', command)
  if (place === '') return usage('Say where it is: an address with https, or a path.', command)
  if (kept.some((each) => each.name === name))
    return usage(
      `There is an index ${line(name)} already. Remove it first with \`countersign extension index rm ${line(name)}\`.`,
      command,
    )
  if (key !== null && !/^[A-Za-z0-9+/]{43}=$/.test(key))
    return usage('--key takes the 32 bytes of an Ed25519 key in base64: 44 characters.', command)
  const wish = { name, place: isAddress(place) ? place : resolve(place), key, seen: null }
  const read = await readIndex(wish, context.host.fetch ?? fetch)
  if (read.kind === 'refused') return unreadable(name, read.reason)
  keepIndexes(await context.paths(), [...kept, read.kept])
  const { title, version, entries } = read.index
  return done(
    { index: read.kept, title, entries: entries.length },
    () =>
      `The index ${line(name)} is added: ${quote(title)}, version ${version}, ${entries.length} entries.${keptText(key, read.kept.key)}`,
  )
}

function keptText(wanted: string | null, kept: string | null): string {
  if (kept === null) return ' No key is pinned, so whoever has its address can change it.'
  return wanted === null
    ? ` Its key ${kept} is kept from now on. Compare it with what its host says elsewhere.`
    : ''
}

async function removed(context: Context, kept: readonly KeptIndex[], name: string): Promise<CommandAnswer> {
  const rest = kept.filter((each) => each.name !== name)
  if (rest.length === kept.length) return usage(`There is no index ${line(name)}.`, command)
  keepIndexes(await context.paths(), rest)
  return done({ name }, `The index ${line(name)} is removed. What was let in from it stays.`)
}

interface FoundEntry {
  readonly index: string
  readonly entry: IndexEntry
}

export const search: Handler = async (context, words) => {
  const kept = keptIndexes(await context.paths())
  if (kept.length === 0)
    return failed({
      type: 'not_found',
      message: noIndex,
      next: 'Read how an index is made in docs/operators/extension-index.md.',
      exit: errorCatalogue.not_found.exit,
    })
  const { found, problems } = await everywhere(context, kept, words)
  for (const { name, reason } of problems)
    context.note(`The index ${line(name)} was left out: ${line(reason)}`)
  if (problems.length === kept.length) {
    const [first] = problems
    return unreadable(first?.name ?? '', first?.reason ?? '')
  }
  return done({ found, problems }, () => (found.length === 0 ? 'Nothing was found.' : foundText(found)))
}

async function everywhere(context: Context, kept: readonly KeptIndex[], words: readonly string[]) {
  const reads = await Promise.all(
    kept.map(async (each) => ({ each, read: await readIndex(each, context.host.fetch ?? fetch) })),
  )
  const next = reads.map(({ each, read }) => (read.kind === 'read' ? read.kept : each))
  // What was seen is remembered, so that an older one is refused the next time.
  if (JSON.stringify(next) !== JSON.stringify(kept)) keepIndexes(await context.paths(), next)
  const found = reads.flatMap(({ each, read }): FoundEntry[] =>
    read.kind === 'read'
      ? searchIndex(read.index.entries, words).map((entry) => ({ index: each.name, entry }))
      : [],
  )
  const problems = reads.flatMap(({ each, read }) =>
    read.kind === 'refused' ? [{ name: each.name, reason: read.reason }] : [],
  )
  return { found, problems }
}

/** The entry by `index/name`. */
export async function entryAt(
  context: Context,
  reference: string,
): Promise<FoundEntry | { readonly reason: string }> {
  const [indexName = '', name = ''] = reference.split('/', 2)
  const kept = keptIndexes(await context.paths())
  const one = kept.filter((each) => each.name === indexName)
  if (one.length === 0)
    return { reason: kept.length === 0 ? noIndex : `There is no index ${line(indexName)}.` }
  const { found, problems } = await everywhere(context, one, [])
  const [problem] = problems
  if (problem) return { reason: `The index ${line(indexName)} cannot be used: ${line(problem.reason)}` }
  return (
    found.find(({ entry }) => entry.name === name) ?? {
      reason: `The index ${line(indexName)} has no entry ${line(name)}. Look with \`countersign extension search\`.`,
    }
  )
}

function foundText(found: readonly FoundEntry[]): string {
  return [
    columns([
      ['Entry', 'Kind', 'In the words of the index', 'From', 'Asks for'],
      ...found.map(({ index: from, entry }) => [
        line(`${from}/${entry.name}`),
        entry.kind,
        quote(entry.description.replaceAll(/\s+/g, ' ').slice(0, 80)),
        line(sourceText(entry)),
        line(wishText(entry)),
      ]),
    ]),
    '',
    `Nobody here has looked at these. Let one in with \`countersign extension add --from ${line(`${found[0]?.index}/${found[0]?.entry.name}`)}\`: a card shows what it is.`,
  ].join('\n')
}

export function sourceText({ source }: Pick<IndexEntry, 'source'>): string {
  switch (source.kind) {
    case 'npm':
      return `${source.package} ${source.version}`
    case 'git':
      return `${source.url} at ${source.commit.slice(0, 12)}`
    default:
      return source.url
  }
}

function wishText({ asks = {} }: Pick<IndexEntry, 'asks'>): string {
  const { folders = [], hosts = [], secrets = {}, data = false } = asks
  const all = [
    ...[...folders, ...hosts].map((each) => (/^[\w.-]*[./:][\w./:-]*$/.test(each) ? each : quote(each))),
    ...Object.keys(secrets).map((name) => `a secret as ${name}`),
    ...(data ? ['files of its own'] : []),
  ]
  return all.join(', ') || 'nothing'
}

function unreadable(name: string, reason: string): CommandAnswer {
  return failed({
    type: 'not_found',
    message: `The index ${line(name)} cannot be used. ${line(reason)}`,
    next: 'See your indexes with `countersign extension index list`.',
    exit: errorCatalogue.not_found.exit,
  })
}
