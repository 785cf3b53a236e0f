/** `countersign memory review`: one suggestion after the other, each with the words it came from. Enter alone decides nothing. */
import type { MemoryView } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { asking } from '../asking/asking.ts'
import type { Context, Handler } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'
import { shortId } from '../short-id.ts'
import { isId, notAnId } from './memory.ts'
import { fromWords } from './memory-text.ts'

export const review: Handler = async (context, [id], options) => {
  const accept = options['accept'] === true
  const reject = options['reject'] === true
  const { content } = options
  if (id !== undefined && !isId(id)) return notAnId(id, 'memory review')
  if (accept && reject) return usage('Give either --accept or --reject.', 'memory review')
  if (content !== undefined && !accept) return usage('--content goes with --accept.', 'memory review')
  if ((accept || reject) && id === undefined)
    return usage('Give the id of a suggestion; `countersign memory review` lists them.', 'memory review')
  const client = (await context.gateway()).client
  if (id !== undefined && (accept || reject))
    return decided(client, id, accept, typeof content === 'string' ? content : undefined)
  const waiting =
    id === undefined
      ? (await client.memorySuggestions({ limit: '200' })).items
      : [(await client.memory(id)).memory]
  if (!context.interactive || id !== undefined) return listed(waiting, context)
  return walk(client, waiting, context)
}

async function decided(
  client: Client,
  id: string,
  accept: boolean,
  content: string | undefined,
): Promise<CommandAnswer> {
  if (content !== undefined) await client.editMemory(id, { content })
  const changed = accept ? await client.acceptMemory(id) : await client.rejectMemory(id)
  const { memory, raised, ledger } = changed
  const words = !accept
    ? `Rejected ${shortId(id)}. It is not suggested again.`
    : raised
      ? `${shortId(memory.id)} had the same content and is more important now.`
      : `Accepted: ${shortId(id)} is in use.`
  return done({ ...changed }, `${words}${ledgerMark(ledger)}`)
}

function listed(waiting: readonly MemoryView[], context: Context): CommandAnswer {
  return done({ suggestions: waiting }, () =>
    waiting.length === 0
      ? nothingWaits
      : [
          ...waiting.map((memory) => suggestionText(memory, context)),
          'Decide each with `countersign memory review <id> --accept`, or --reject. None is used before that.',
        ].join('\n\n'),
  )
}

/** Enter alone skips. */
const verdicts = [
  { value: 'skip', label: 'Skip for now' },
  { value: 'accept', label: 'Accept', key: 'a' },
  { value: 'edit', label: 'Edit and accept', key: 'e' },
  { value: 'reject', label: 'Reject', hint: 'it is not suggested again', key: 'r' },
] as const
const instead = 'Decide each with `countersign memory review <id> --accept`, or --reject.'

async function walk(
  client: Client,
  waiting: readonly MemoryView[],
  context: Context,
): Promise<CommandAnswer> {
  const counts = { accepted: 0, rejected: 0 }
  const ask = await asking(context)
  for (const [place, memory] of waiting.entries()) {
    context.say(`${place + 1} of ${waiting.length}\n${suggestionText(memory, context)}`)
    const choice = await ask.choice({ message: 'Remember this?', choices: verdicts, instead })
    if (choice.kind === 'left') break
    if (choice.value === 'edit') {
      const words = await ask.text({ message: 'In these words', instead })
      if (words.kind === 'left' || words.value === '') continue
      await client.editMemory(memory.id, { content: words.value })
    }
    if (choice.value === 'accept' || choice.value === 'edit') {
      await client.acceptMemory(memory.id)
      counts.accepted += 1
    }
    if (choice.value === 'reject') {
      await client.rejectMemory(memory.id)
      counts.rejected += 1
    }
  }
  if (waiting.length === 0) return done({ ...counts, left: 0 }, nothingWaits)
  const left = waiting.length - counts.accepted - counts.rejected
  const words = `${counts.accepted} accepted, ${counts.rejected} rejected, ${left} left.`
  return done(
    { ...counts, left },
    left === 0 ? words : `${words} Suggestions without a decision are not used.`,
  )
}

function suggestionText(memory: MemoryView, context: Context): string {
  const { source, type, confidence, id, createdAt } = memory
  const sure = source.kind === 'inferred' ? `, ${Math.round(confidence * 100)} % sure` : ''
  return [
    context.paint('strong', lines(memory.content)),
    `  ${type}, ${fromWords(memory)}${sure}, ${ago(createdAt, context.moment())}  ${shortId(id)}`,
    ...(source.excerpt === undefined ? [] : [indent(lines(source.excerpt), '  │ ')]),
    ...(memory.supersedes === null ? [] : [`  It would replace ${line(memory.supersedes)}.`]),
  ].join('\n')
}

const nothingWaits = 'No suggestions. What I infer appears here before I use it.'
