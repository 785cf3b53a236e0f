/**
 * `countersign extension add`: by what is said on the command line, or by an entry of an index, which only fills in what would be
 * said. What was said by the operator stands above what the entry asks for, and the card shows what came out of both.
 */
import type { IndexEntry } from '@countersign/contract'
import type { Context, Handler, OptionValues } from '../context.ts'
import { repositoryPlace } from '../extension-indexes/skill-place.ts'
import { archiveFile, repositoryFile } from '../extension-indexes/source-files.ts'
import { usage } from '../output/failure.ts'
import { line, quote } from '../output/safe-text.ts'
import { add as addSaid } from './extension.ts'
import { entryAt, sourceText } from './extension-index.ts'
import { listOf } from './extension-launch.ts'

const command = 'extension add'
/** Said beside `--from`, they would be about something else than the entry. */
const places = ['package', 'files', 'address', 'skill', 'server', 'plugin', 'preset']

export const add: Handler = async (context, args, options) => {
  const { from, ...said } = options
  const [name = '', ...words] = args
  if (typeof from !== 'string')
    return name === '' ? usage('Give it a name, such as files.', command) : addSaid(context, args, options)
  const other = places.find((each) => said[each] !== undefined)
  if (other !== undefined) return usage(`--${other} and --from name two things. Give one of them.`, command)
  const found = await entryAt(context, from)
  if ('reason' in found) return usage(found.reason, command)
  const { entry } = found
  const filled = await filledIn(context, entry, said)
  if (filled.kind === 'refused') return usage(line(filled.reason), command)
  tell(context, entry, said)
  const wished = words.length > 0 ? words : (entry.asks?.words ?? [])
  return addSaid(context, [name || entry.name, ...wished], filled.options)
}

type Filled =
  | { readonly kind: 'filled'; readonly options: OptionValues }
  | { readonly kind: 'refused'; readonly reason: string }

async function filledIn(context: Context, entry: IndexEntry, said: OptionValues): Promise<Filled> {
  const { source, kind, asks = {} } = entry
  const wishes = kind === 'server' ? withSaid(asks, said) : said
  switch (source.kind) {
    case 'npm':
      return kind === 'server'
        ? filled({ ...wishes, package: `${source.package}@${source.version}`, integrity: source.integrity })
        : unfit(entry)
    case 'address':
      return kind === 'server' ? filled({ ...said, address: source.url }) : unfit(entry)
    case 'archive':
    case 'git': {
      if (kind === 'server') return unfit(entry)
      // It is fetched where a skill is read, and its commit stands on the card.
      if (kind === 'skill' && source.kind === 'git')
        return filled({ ...wishes, ...publishedBy(entry), skill: repositoryPlace(source) })
      context.working(`Fetching ${line(sourceText(entry))}…`)
      const file =
        source.kind === 'archive'
          ? await archiveFile(source, context.host.fetch ?? fetch)
          : await repositoryFile(source, context.host.runProgram)
      return 'reason' in file
        ? { kind: 'refused', reason: file.reason }
        : filled({ ...wishes, ...(kind === 'skill' ? publishedBy(entry) : {}), [kind]: file.path })
    }
  }
}

/** Where the index names a publisher, nobody else may have signed it. */
function publishedBy({ publisher }: IndexEntry): OptionValues {
  return publisher === undefined ? {} : { publisher }
}

function filled(options: OptionValues): Filled {
  return { kind: 'filled', options }
}

/** Lists arrive in one text with a NUL between. */
function withSaid(asks: NonNullable<IndexEntry['asks']>, said: OptionValues): OptionValues {
  const { environment = {}, folders = [], hosts = [], data = false } = asks
  const list = (values: readonly string[]) => (values.length === 0 ? undefined : values.join('\0'))
  return {
    env: list(Object.entries(environment).map(([name, value]) => `${name}=${value}`)),
    folder: list(folders),
    host: list(hosts),
    ...(data ? { data: true } : {}),
    ...said,
  }
}

/** Which secret it is given only the operator can say. */
function tell(context: Context, { asks = {} }: IndexEntry, { secret }: OptionValues): void {
  const given = listOf(secret).map((text) => text.split('=', 1)[0])
  for (const [variable, about] of Object.entries(asks.secrets ?? {}))
    if (!given.includes(variable))
      context.note(
        `It asks for a secret as ${variable}: ${quote(about)}. Give it one with --secret ${variable}=NAME.`,
      )
}

function unfit({ kind, source, name }: IndexEntry): Filled {
  return {
    kind: 'refused',
    reason: `The entry ${name} is a ${kind} from ${source.kind}, which cannot be let in by an index.`,
  }
}
