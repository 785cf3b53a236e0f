/** `countersign memory`: what is remembered, where it came from, making it right, and making it go. */
import { once } from 'node:events'
import { type EditMemory, MemoryId, MemoryStatus, MemoryType, type MemoryView } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { asking } from '../asking/asking.ts'
import type { Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done, ended } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago } from '../output/time.ts'
import { shortId } from '../short-id.ts'
import { writeWhole } from '../whole-file.ts'
import {
  detailText,
  goesWords,
  memoryTable,
  moreWords,
  nothingYet,
  statsText,
  staysWords,
} from './memory-text.ts'

export const search: Handler = async (context, [words = ''], options) => {
  const filter = filterOf(options, 50)
  if (typeof filter === 'string') return usage(filter, 'memory search')
  if (words.trim() === '')
    return usage('Give search words, for example `countersign memory search dentist`.', 'memory search')
  const found = await (await context.gateway()).client.searchMemories({ q: words, ...filter })
  return done({ memories: found }, () => {
    if (found.length === 0)
      return `No active memory matches “${line(words)}”. Try other words, or see everything with \`countersign memory list\`.`
    const rows = found.map(({ memory, score }) => [
      line(memory.content),
      memory.type,
      score.toFixed(2),
      ago(memory.createdAt, context.moment()),
      shortId(memory.id),
    ])
    return table(['Memory', 'Type', 'Fit', 'Since', 'Id'], rows, context.host.output.columns)
  })
}

export const list: Handler = async (context, _args, options) => {
  const filter = filterOf(options, 200)
  if (typeof filter === 'string') return usage(filter, 'memory list')
  const { status = 'active' } = options
  if (status !== 'all' && !MemoryStatus.safeParse(status).success)
    return usage(`--status is one of ${MemoryStatus.options.join(', ')}, all.`, 'memory list')
  const client = (await context.gateway()).client
  const found = await client.memories({ ...(status === 'all' ? {} : { status: String(status) }), ...filter })
  const waiting = status === 'active' ? (await client.memorySuggestions({ limit: '1' })).total : 0
  return done({ ...found, waiting }, () => {
    const isPlain = Object.keys(filter).every((name) => name === 'limit')
    const parts = [
      found.items.length > 0
        ? memoryTable(found.items, context)
        : isPlain && (status === 'active' || status === 'all')
          ? nothingYet
          : 'No memory matches. See all with `countersign memory list --status all`.',
      moreWords(found),
      waiting === 0 ? '' : waitingWords(waiting),
    ]
    return parts.filter((part) => part !== '').join('\n')
  })
}

export const show: Handler = async (context, [id = '']) => {
  if (!isId(id)) return notAnId(id, 'memory show')
  const detail = await (await context.gateway()).client.memory(id)
  return done({ ...detail }, () => detailText(detail, context))
}

export const add: Handler = async (context, [content = ''], options) => {
  const fields = fieldsOf(options)
  if (typeof fields === 'string') return usage(fields, 'memory add')
  if (content.trim() === '') return usage('Say what to remember, in quotes.', 'memory add')
  const { type = 'fact', goal, ...rest } = fields
  const changed = await (await context.gateway()).client.addMemory({
    content,
    type,
    ...rest,
    ...(typeof goal === 'string' ? { goal } : {}),
  })
  const { memory, raised, ledger } = changed
  const words = raised
    ? `You had that already: ${shortId(memory.id)} is more important now.`
    : `I remember it as ${shortId(memory.id)}.`
  return done({ ...changed }, `${words}${ledgerMark(ledger)}`)
}

export const edit: Handler = async (context, [id = ''], options) => {
  if (!isId(id)) return notAnId(id, 'memory edit')
  const fields = fieldsOf(options)
  if (typeof fields === 'string') return usage(fields, 'memory edit')
  const { content } = options
  const client = (await context.gateway()).client
  if (options['correct'] === true) {
    if (typeof content !== 'string')
      return usage('--correct needs the new text: --content "…".', 'memory edit')
    if (Object.keys(fields).length > 0)
      return usage('--correct takes --content only. Change the rest in a second step.', 'memory edit')
    const corrected = await client.correctMemory(id, content)
    return done(
      { ...corrected },
      `Corrected: ${shortId(corrected.memory.id)} replaces it.${ledgerMark(corrected.ledger)}\nThe old text is kept as superseded. Erase it with \`countersign memory forget ${shortId(id)}\`.`,
    )
  }
  const changes: EditMemory = { ...fields, ...(typeof content === 'string' ? { content } : {}) }
  if (Object.keys(changes).length === 0)
    return usage(
      'Say what to change: --content, --type, --importance, --tags, --goal, --pin or --unpin.',
      'memory edit',
    )
  const changed = await client.editMemory(id, changes)
  return done(
    { ...changed },
    `Changed ${id}: ${Object.keys(changes).join(', ')}.${ledgerMark(changed.ledger)}`,
  )
}

export const forget: Handler = async (context, [what = ''], options) => {
  const client = (await context.gateway()).client
  const found = await matching(client, what)
  if (found.length === 0)
    return done(
      { matches: [], forgotten: false },
      `No memory contains “${line(what)}”. Search by meaning with \`countersign memory search "${line(what)}"\`.`,
    )
  if (found.length > mostAtOnce)
    return usage(
      `More than ${mostAtOnce} memories contain “${line(what)}”. Use more specific words.`,
      'memory forget',
    )
  const ids = found.map(({ id }) => id)
  const preview = await client.forgetMemories(ids, true)
  const shown = `${memoryTable(found, context)}\n\nThis would be erased permanently: ${goesWords(preview)}.\n${staysWords}`
  if (options['dryRun'] === true) return done({ matches: found, ...preview, forgotten: false }, shown)
  if (options['yes'] !== true) {
    if (!context.interactive)
      return usage(
        'Erasing cannot be undone and needs a confirmation in a terminal. Add --yes to skip it.',
        'memory forget',
      )
    context.say(`${shown}\n`)
    const sure = await (await asking(context)).text({
      message: `Forget ${ids.length === 1 ? 'it' : `these ${ids.length}`}? Type yes, or anything else to cancel`,
      instead: 'Add --yes.',
    })
    if (sure.kind === 'left' || sure.value !== 'yes')
      return done({ matches: found, forgotten: false }, 'Nothing was forgotten.')
  }
  const gone = await client.forgetMemories(ids)
  return done(
    { ids, ...gone, forgotten: true },
    `Forgotten for good: ${goesWords(gone)}.${ledgerMark(gone.ledger)}`,
  )
}

export const stats: Handler = async (context) => {
  const figures = await (await context.gateway()).client.memoryStats()
  return done({ ...figures }, () => statsText(figures, context))
}

export const exported: Handler = async (context, _args, options) => {
  const out = typeof options['out'] === 'string' ? options['out'] : undefined
  if (context.flags.json && out === undefined)
    return usage('The export is JSON lines, not one document. Give a file with --out.', 'memory export')
  const client = (await context.gateway()).client
  let count = 0
  async function* counted(): AsyncGenerator<string> {
    for await (const memory of everyMemory(client)) {
      count += 1
      context.working(`Writing memories: ${count} so far`)
      yield `${JSON.stringify(memory)}\n`
    }
  }
  if (out === undefined) {
    for await (const text of counted())
      if (!context.host.output.write(text)) await once(context.host.output, 'drain')
    context.note(`${count} ${count === 1 ? 'memory' : 'memories'}.`)
    return ended(0)
  }
  await writeWhole(out, counted())
  return done(
    { out, memories: count },
    `Wrote ${count} ${count === 1 ? 'memory' : 'memories'} to ${line(out)}.`,
  )
}

export const never: Handler = async (context, [words], options) => {
  const client = (await context.gateway()).client
  const { rm } = options
  if (typeof rm === 'string') {
    if (words !== undefined) return usage('Give words to add or --rm with an id, not both.', 'memory never')
    const { ledger } = await client.rememberAgain(rm)
    return done({ removed: rm, ledger }, `Removed from the list.${ledgerMark(ledger)}`)
  }
  if (words === undefined) {
    const listed = await client.neverRemembered()
    return done({ never: listed }, () =>
      listed.length === 0
        ? 'The list is empty. Block memories with certain words with `countersign memory never "my salary"`.'
        : columns([
            ['Words', 'Since', 'Id'],
            ...listed.map((each) => [line(each.words), ago(each.createdAt, context.moment()), each.id]),
          ]),
    )
  }
  const added = await client.neverRemember(words)
  const there = added.matching.length
  const more =
    there === 0
      ? ''
      : `\n${there === 1 ? 'One memory contains' : `${there} memories contain`} these words already. Erase with \`countersign memory forget "${line(added.never.words)}"\`.`
  return done(
    { ...added },
    `Nothing with “${line(added.never.words)}” will be remembered.${ledgerMark(added.ledger)}${more}`,
  )
}

export function waitingWords(count: number): string {
  return `${count === 1 ? 'One suggestion is' : `${count} suggestions are`} pending and not used until you accept ${count === 1 ? 'it' : 'them'}: \`countersign memory review\`.`
}

export function isId(text: string): boolean {
  return MemoryId.safeParse(text).success
}

export function notAnId(text: string, command: string): CommandAnswer {
  return usage(
    `${line(text)} is not the id of a memory, such as mem_0198…. See \`countersign memory list\`.`,
    command,
  )
}

const mostAtOnce = 100

/** By its id, or all that hold the words, whatever their state. */
async function matching(client: Client, what: string): Promise<readonly MemoryView[]> {
  if (isId(what)) return [(await client.memory(what)).memory]
  if (what.trim() === '') return []
  return (await client.memories({ q: what, limit: String(mostAtOnce + 1) })).items
}

async function* everyMemory(client: Client): AsyncGenerator<MemoryView> {
  for (let offset = 0; ; ) {
    const { items, total } = await client.memories({ limit: '200', offset: String(offset) })
    yield* items
    offset += items.length
    if (items.length === 0 || offset >= total) return
  }
}

interface Filter {
  type?: string
  tag?: string
  goal?: string
  limit?: string
}

/** A sentence when the options do not fit. */
function filterOf(options: OptionValues, most: number): Filter | string {
  const filter: Filter = {}
  const { type, limit } = options
  if (type !== undefined && !MemoryType.safeParse(type).success) return typeWords
  if (
    limit !== undefined &&
    !(Number.isInteger(Number(limit)) && Number(limit) >= 1 && Number(limit) <= most)
  )
    return `--limit is a number from 1 to ${most}.`
  for (const name of ['type', 'tag', 'goal', 'limit'] as const) {
    const value = options[name]
    if (typeof value === 'string') filter[name] = value
  }
  return filter
}

const typeWords = `--type is one of ${MemoryType.options.join(', ')}.`

function fieldsOf(options: OptionValues): EditMemory | string {
  const { type, importance, tags, goal, pin, unpin } = options
  const fields: { -readonly [Name in keyof EditMemory]: EditMemory[Name] } = {}
  if (type !== undefined) {
    const known = MemoryType.safeParse(type)
    if (!known.success) return typeWords
    fields.type = known.data
  }
  if (importance !== undefined) {
    const share = Number(importance)
    if (importance === '' || !(share >= 0 && share <= 1))
      return '--importance is a number from 0 to 1, such as 0.8.'
    fields.importance = share
  }
  if (typeof tags === 'string')
    fields.tags = tags
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
  if (typeof goal === 'string') fields.goal = goal === 'none' ? null : goal
  if (pin === true && unpin === true) return 'Give either --pin or --unpin.'
  if (pin === true || unpin === true) fields.pinned = pin === true
  return fields
}
