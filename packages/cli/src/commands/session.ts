/** `countersign session`: conversations, what was said and done in them, those that ended, and their copies and files. */
import { readFile, writeFile } from 'node:fs/promises'
import {
  ConversationExport,
  type EpisodeView,
  isInternalRun,
  MarkSession,
  type RunId,
  type RunView,
  type SessionDetail,
  type SessionView,
  type Thread,
  type ThreadItem,
  Timeframe,
} from '@countersign/contract'
import type { Context, Handler, OptionValues } from '../context.ts'
import { done, ended, failed } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage, usageExit } from '../output/failure.ts'
import { money } from '../output/money.ts'
import { ledgerMark } from '../output/receipt.ts'
import { cutRows } from '../output/rows.ts'
import { line, lines } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'
import { ago, clockTime } from '../output/time.ts'
import { shortId } from '../short-id.ts'
import { runState } from './run.ts'

export const list: Handler = async (context, _args, options) => {
  const { client } = await context.gateway()
  const all = await client.sessions()
  const sessions = options['all'] === true ? all : conversationsAmong(all, await client.runs({}))
  if (sessions.length === 0) return done({ sessions }, 'No session yet. Start one with `countersign chat`.')
  const rows = sessions.map((session) => [
    shortId(session.id),
    ago(session.updatedAt, context.moment()),
    session.activeRun === null ? 'idle' : `running${session.queued > 0 ? `, ${session.queued} queued` : ''}`,
    line(session.title),
  ])
  return done(
    { sessions },
    cutRows(columns([['Session', 'Last used', 'State', 'Title'], ...rows]), context.width()),
  )
}

/** Without those that were put away, and those in which only Countersign itself or a call by hand was at work. */
export function conversationsAmong(
  sessions: readonly SessionView[],
  runs: readonly Pick<RunView, 'session' | 'agent' | 'kind'>[],
): SessionView[] {
  const talked = new Set<string>(
    runs.filter((run) => run.kind !== 'direct' && !isInternalRun(run)).map(({ session }) => session),
  )
  const worked = new Set<string>(runs.map(({ session }) => session))
  return sessions.filter(({ id, hidden }) => !hidden && (talked.has(id) || !worked.has(id)))
}

export const show: Handler = async (context, [id = '']) => {
  const detail = await (await context.gateway()).client.session(id)
  return done({ ...detail }, sessionText(detail, context))
}

export const thread: Handler = async (context, [id = ''], options) => {
  const page = pageOf(options)
  if (typeof page === 'string') return usage(page, 'session thread')
  const seen = await (await context.gateway()).client.thread(id, page)
  return done({ ...seen }, () => threadText(seen, context))
}

export const search: Handler = async (context, [query = ''], options) => {
  const given = options['since'] ?? 'all'
  const timeframe = Timeframe.safeParse(given)
  if (!timeframe.success)
    return usage(
      `${line(String(given))} is none of ${Timeframe.options.join(', ')}. Give one of them to --since.`,
      'session search',
    )
  const client = (await context.gateway()).client
  const episodes = await client.searchHistory({ query, timeframe: timeframe.data })
  return done({ episodes }, () =>
    episodes.length === 0
      ? 'No archived conversation matches. See open ones with `countersign session list`.'
      : episodes.map((episode) => episodeText(episode, context)).join('\n\n'),
  )
}

export const fork: Handler = async (context, [id = ''], options) => {
  const { at, title } = options
  if (at !== undefined && !isMessageNumber(at))
    return usage(
      `${line(String(at))} is not the number of a message; see \`session thread\`.`,
      'session fork',
    )
  const made = await (await context.gateway()).client.forkSession(id, {
    ...(typeof at === 'string' ? { upTo: Number(at) } : {}),
    ...(typeof options.before === 'string' ? { before: options.before as RunId } : {}),
    ...(options.simulate === true ? { simulate: true } : {}),
    ...(typeof title === 'string' ? { title } : {}),
  })
  return done({ ...made }, madeText('Forked', made))
}

export const archive: Handler = async (context, [id = '']) => {
  const archived = await (await context.gateway()).client.archiveSession(id)
  const { episode, messages, ledger } = archived
  return done(
    { ...archived },
    episode === null
      ? 'Nothing to archive: the agent already sees only a summary.'
      : `Archived ${counted(messages)}.${ledgerMark(ledger)}\nThey stay in the thread; the agent sees a summary and can search the rest.`,
  )
}

const ledgerKeeps = 'The ledger keeps the beginning of what was said and done, so that it can be verified.'

export const remove: Handler = async (context, [id = '']) => {
  const { ledger } = await (await context.gateway()).client.removeSession(id)
  return done(
    { session: id, ledger },
    `Deleted ${line(id)} with everything that was said in it.${ledgerMark(ledger)}\n${ledgerKeeps}`,
  )
}

export const clear: Handler = async (context, [id = '']) => {
  const cleared = await (await context.gateway()).client.clearSession(id)
  return done(
    { session: id, ...cleared },
    `Erased ${counted(cleared.messages)}.${ledgerMark(cleared.ledger)}\nThe conversation is empty and goes on. ${ledgerKeeps}`,
  )
}

export const set: Handler = async (context, [id = '', ...pairs]) => {
  const entries = pairs.map((pair): [string, string | null] => {
    const at = pair.indexOf('=')
    return at < 0 ? [pair, null] : [pair.slice(0, at), pair.slice(at + 1) === '' ? null : pair.slice(at + 1)]
  })
  const marks = MarkSession.safeParse({ metadata: Object.fromEntries(entries) })
  if (entries.length === 0 || pairs.some((pair) => !pair.includes('=')) || !marks.success)
    return usage('Give entries as name=value; name= takes one away.', 'session set')
  const { ledger } = await (await context.gateway()).client.markSession(id, marks.data)
  return done(
    { session: id, ...marks.data, ledger },
    `Set ${entries.map(([name]) => line(name)).join(', ')}.${ledgerMark(ledger)}`,
  )
}

export const tools: Handler = async (context, [id = '', ...names], options) => {
  if (options['clear'] === true && names.length > 0)
    return usage('Either name tools, or --clear to take all away.', 'session tools')
  const { client } = await context.gateway()
  if (names.length === 0 && options['clear'] !== true) {
    const { extraTools } = (await client.session(id)).session
    return done(
      { session: id, extraTools },
      extraTools.length === 0
        ? 'No extra tools: its agent has those of its settings.'
        : `Extra tools: ${extraTools.map(line).join(', ')}.`,
    )
  }
  const { ledger } = await client.markSession(id, { extraTools: names })
  return done(
    { session: id, extraTools: names, ledger },
    names.length === 0
      ? `Took the extra tools away.${ledgerMark(ledger)}`
      : `From the next message on its agent also has ${names.map(line).join(', ')}.${ledgerMark(ledger)}\nWhat they may do is still decided call by call.`,
  )
}

export const rename: Handler = async (context, [id = '', title = '']) => {
  if (title.trim() === '') return usage('A session needs a title of one line.', 'session rename')
  const { ledger } = await (await context.gateway()).client.renameSession(id, title)
  return done({ session: id, title, ledger }, `Renamed to ${line(title.trim())}.${ledgerMark(ledger)}`)
}

export const exported: Handler = async (context, [id = ''], options) => {
  const conversation = await (await context.gateway()).client.exportSession(id)
  const { out } = options
  if (typeof out !== 'string') {
    if (context.flags.json) return done({ conversation }, '')
    context.host.output.write(fileText(conversation))
    context.note(`${counted(conversation.messages.length)}. Give a file with --out to save them.`)
    return ended(0)
  }
  // It holds what was said, so that nobody else on this host may read it, and it replaces nothing.
  const problem = await writeFile(out, fileText(conversation), { mode: 0o600, flag: 'wx' }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (problem !== undefined)
    return failed({
      type: 'usage',
      message: `${line(out)} could not be written: ${line(problem)}.`,
      next: 'Give a new file in a folder that you can write to.',
      exit: usageExit,
    })
  return done(
    { out, messages: conversation.messages.length },
    `Wrote ${counted(conversation.messages.length)} to ${line(out)}. Secrets are masked in it.`,
  )
}

export const imported: Handler = async (context, [path = ''], options) => {
  const conversation = await readConversation(path)
  if (typeof conversation === 'string')
    return failed({
      type: 'usage',
      message: conversation,
      next: 'Give a file that `countersign session export --out <file>` wrote.',
      exit: usageExit,
    })
  const mine = options['mine'] === true
  const made = await (await context.gateway()).client.importSession({
    conversation,
    mine,
    ...(typeof options['title'] === 'string' ? { title: options['title'] } : {}),
  })
  const worth = mine
    ? 'Its content counts as your own words.'
    : 'Its content is untrusted; calls based on it ask more often.'
  return done({ ...made, mine }, `${madeText('Imported', made)}\n${worth}`)
}

export function threadText(seen: Thread, context: Context): string {
  const { origin } = seen
  const from =
    origin === null
      ? []
      : [origin.kind === 'fork' ? `Forked from ${origin.forkedFrom}.` : 'Imported from a file.']
  const older =
    seen.before === null ? [] : [`Older: countersign session thread ${seen.session} --before ${seen.before}`]
  const items =
    seen.items.length === 0 ? ['No messages yet.'] : seen.items.map((item) => itemText(item, context))
  return [`${seen.session}  ${line(seen.title)}`, ...from, ...older, '', ...items].join('\n')
}

function itemText(item: ThreadItem, context: Context): string {
  const moment = context.moment()
  if (item.kind === 'message') {
    const who = { user: 'You', agent: 'Assistant', error: 'Problem' }[item.source]
    const archived = item.archived ? '  archived' : ''
    const head = `${context.paint('strong', who)}  ${clockTime(item.at, moment)}  #${item.position}${archived}`
    return `${head}\n${indent(lines(item.text))}\n`
  }
  const tier = item.tier === null ? '' : `  ${tierLabel(item.tier, context.paint)}`
  const undo = item.undoable ? '  can be undone' : ''
  return `  · ${line(item.headline)}: ${item.outcome ?? 'not over'}${tier}${undo}`
}

function episodeText(episode: EpisodeView, context: Context): string {
  const head = `${episode.session}  ${ago(episode.endedAt, context.moment())}  ${counted(episode.messages)}`
  const untrusted =
    episode.label.integrity === 'untrusted'
      ? [
          `  With untrusted content${episode.label.sources.length > 0 ? `: ${episode.label.sources.map(line).join(', ')}` : ''}.`,
        ]
      : []
  return [head, indent(line(episode.summary)), ...untrusted, indent(lines(episode.excerpt), '    ')].join(
    '\n',
  )
}

function sessionText(detail: SessionDetail, context: Context): string {
  const moment = context.moment()
  const said = detail.messages
    .filter((message) => message.text !== '')
    .map((message) => {
      const who = message.role === 'operator' ? 'You' : 'Assistant'
      const kept = Object.entries(message.metadata ?? {}).map(
        ([name, value]) => `  ${line(name)}=${line(value)}`,
      )
      return `${context.paint('strong', who)}  ${clockTime(message.at, moment)}${kept.join('')}\n${indent(lines(message.text))}\n`
    })
  const runs = detail.runs.map((run) => [run.id, runState(run, moment), ago(run.startedAt, moment)])
  return [
    `${detail.session.id}  ${line(detail.session.title)}`,
    statisticsText(detail, moment),
    ...Object.entries(detail.session.metadata).map(([name, value]) => `${line(name)}=${line(value)}`),
    ...(detail.session.extraTools.length === 0
      ? []
      : [`Extra tools: ${detail.session.extraTools.map(line).join(', ')}`]),
    '',
    ...said,
    ...(runs.length > 0 ? [columns(runs)] : []),
  ].join('\n')
}

function statisticsText({ statistics }: SessionDetail, moment: Parameters<typeof ago>[1]): string {
  const { messages, calls, inputTokens, outputTokens, costUsd, lastActivityAt } = statistics
  return [
    counted(messages),
    `${calls} calls`,
    `${inputTokens} tokens in, ${outputTokens} out`,
    money(costUsd),
    `last used ${ago(lastActivityAt, moment)}`,
  ].join(' · ')
}

/** A sentence when it is no such file. */
async function readConversation(path: string): Promise<ConversationExport | string> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    return `${line(path)} cannot be read: ${line(error instanceof Error ? error.message : String(error))}.`
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return `${line(path)} is not JSON.`
  }
  const parsed = ConversationExport.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.map(String).join('.') ?? ''
  return `${line(path)} is not a conversation: ${line(`${where === '' ? '' : `${where}: `}${issue?.message ?? ''}`)}.`
}

function pageOf(options: OptionValues): { before?: string; limit?: string } | string {
  const { before, limit } = options
  if (before !== undefined && !isMessageNumber(before))
    return `${line(String(before))} is not the number of a message.`
  if (limit !== undefined && (!isMessageNumber(limit) || Number(limit) > 200))
    return '--limit is a number from 1 to 200.'
  return {
    ...(typeof before === 'string' ? { before } : {}),
    ...(typeof limit === 'string' ? { limit } : {}),
  }
}

const isMessageNumber = (value: string | boolean) =>
  typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)

const counted = (count: number) => `${count} ${count === 1 ? 'message' : 'messages'}`

const fileText = (conversation: ConversationExport) => `${JSON.stringify(conversation, null, 2)}\n`

function madeText(
  verb: string,
  made: { session: string; title: string; messages: number; ledger: number },
): string {
  return [
    `${verb} ${counted(made.messages)} into ${made.session}  ${line(made.title)}.${ledgerMark(made.ledger)}`,
    `Continue with \`countersign chat ${made.session}\`.`,
  ].join('\n')
}
