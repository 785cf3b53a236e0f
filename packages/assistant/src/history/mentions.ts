/**
 * Owns that what is forgotten is no longer found: takes it out of summaries and of what is searched, and marks messages
 * of open conversations so that no later summary is made of them. The messages stay in their thread. Keeps places only,
 * never the words that were to be forgotten.
 */
import { type SqlBool, sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import { markForgotten } from './forgotten.ts'
import { ownHistory } from './lock.ts'
import { searchQuery, wordsIn } from './search-words.ts'
import { fallbackSummary } from './summary.ts'
import { type HistoryDb, historyDb } from './tables.ts'
import type { ConversationLine } from './turn.ts'
import { activityText, callActivityOf } from './turns.ts'
import { normalised, normalisedWords, sentencesOf } from './wording.ts'

export interface ForgottenMemory {
  readonly content: string
  readonly source: {
    /** The words that the memory was made from, perhaps cut. */
    readonly excerpt?: string
  } | null
}

export const emptiedSummary = 'The operator erased what was said here.'

const episodesAtOnce = 50
/** A piece of a source that says less is found everywhere. */
const shortestPiece = 12

/** In the transaction that forgets the memory. Says in how many places it stood. */
export async function removeMentions(tx: AssistantTransaction, memory: ForgottenMemory): Promise<number> {
  const db = historyDb(tx.db)
  const mentions = mentionsOf(memory)
  await ownHistory(db, tx.operator)
  let removed = 0
  for (let after = ''; ; ) {
    const rows = await candidates(db, memory, after)
    for (const row of rows) removed += await cleanEpisode(db, row, mentions)
    const last = rows.at(-1)
    if (!last || rows.length < episodesAtOnce) break
    after = last.id
  }
  return removed + (await markOpen(tx, db, mentions))
}

/** As those call it who forget. */
export const historyMentions = { remove: removeMentions }

export type MentionsForgotten = (text: string) => boolean

/** Whether a text tells it: in the same words, in those of its source, or in nearly all words that matter. */
export function mentionsOf({ content, source }: ForgottenMemory): MentionsForgotten {
  const exact = normalised(content)
  const excerpt = normalised(source?.excerpt ?? '')
  const matter = new Set(normalisedWords(content).filter(isTelling).map(stemOf))
  const needed = matter.size <= 3 ? matter.size : Math.ceil(matter.size * 0.75)
  const toldIn = (text: string): boolean => {
    if (matter.size < 2) return false
    const said = new Set(normalisedWords(text).map(stemOf))
    return [...matter].filter((word) => said.has(word)).length >= needed
  }
  return (text) => {
    const whole = normalised(text)
    if (whole === '') return false
    if (exact !== '' && holds(whole, exact)) return true
    if (excerpt.length >= shortestPiece && whole.includes(excerpt)) return true
    if (whole.length >= shortestPiece && holds(excerpt, whole)) return true
    return sentencesOf(text).some(toldIn) || (text.length < 300 && toldIn(text))
  }
}

/** What is left of a summary; nothing of one that tells it across its sentences. */
export function withoutMentions(summary: string, mentions: MentionsForgotten): string {
  if (!mentions(summary) && !sentencesOf(summary).some(mentions)) return summary
  const kept = sentencesOf(summary).filter((sentence) => !mentions(sentence))
  const rest = kept.join(' ')
  return rest === '' || mentions(rest) ? emptiedSummary : rest
}

interface EpisodeText {
  readonly id: string
  readonly summary: string
  readonly summarised_by: 'model' | 'fallback'
  readonly turns: readonly ConversationLine[]
  readonly forgotten: readonly number[]
  readonly message_count: number
}

function candidates(db: HistoryDb, memory: ForgottenMemory, after: string): Promise<EpisodeText[]> {
  const telling = [
    ...normalisedWords(memory.content),
    ...normalisedWords(memory.source?.excerpt ?? ''),
  ].filter(isTelling)
  const any = searchQuery(telling, 'any')
  return db
    .selectFrom('episodes')
    .select(['id', 'summary', 'summarised_by', 'turns', 'forgotten', 'message_count'])
    .where('id', '>', after)
    .$if(any !== null, (query) => query.where(sql<SqlBool>`(words @@ ${any} or numnode(${any}) = 0)`))
    .orderBy('id')
    .limit(episodesAtOnce)
    .forUpdate()
    .execute()
}

async function cleanEpisode(
  db: HistoryDb,
  episode: EpisodeText,
  mentions: MentionsForgotten,
): Promise<number> {
  const left = episode.turns.filter(({ text }) => mentions(text))
  const turns = episode.turns.filter((turn) => !left.includes(turn))
  const calls = turns.filter(({ by }) => by === 'tool').length
  const rewritten =
    episode.summarised_by === 'fallback' && left.length > 0
      ? fallbackSummary(turns, { messages: episode.message_count, calls })
      : episode.summary
  const summary = withoutMentions(rewritten, mentions)
  if (left.length === 0 && summary === episode.summary) return 0
  const forgotten = [...new Set([...episode.forgotten, ...left.map(({ position }) => position)])]
  await db
    .updateTable('episodes')
    .set({
      summary,
      turns: JSON.stringify(turns),
      words: wordsIn(summary, turns),
      forgotten: JSON.stringify(forgotten),
      revision: sql`revision + 1`,
    })
    .where('id', '=', episode.id)
    .execute()
  return left.length + (summary === rewritten ? 0 : 1)
}

/** What is still open is archived later, without these. */
async function markOpen(
  tx: AssistantTransaction,
  db: HistoryDb,
  mentions: MentionsForgotten,
): Promise<number> {
  const messages = await db
    .selectFrom('messages')
    .innerJoin('sessions', 'sessions.id', 'messages.session_id')
    .select(['messages.session_id', 'messages.position', 'messages.run_id', 'messages.turn', 'messages.role'])
    .select('messages.text')
    .whereRef('messages.position', '>', 'sessions.archived_to')
    .execute()
  const runs = [...new Set(messages.map(({ run_id }) => run_id))]
  const byTurn = Map.groupBy(await callActivityOf(db, runs), (call) => `${call.run_id}/${call.turn}`)
  const found = messages.filter(
    ({ role, run_id, turn, text }) =>
      mentions(text) ||
      (role === 'assistant' &&
        (byTurn.get(`${run_id}/${turn}`) ?? []).some((call) => mentions(activityText(call)))),
  )
  const places = found.map(({ session_id, position }) => ({ session: session_id, position }))
  await markForgotten(db, tx.operator, places)
  return found.length
}

/** Whole words only: “art” does not stand in “party”. */
const holds = (text: string, piece: string) => ` ${text} `.includes(` ${piece} `)

const stemOf = (word: string) => (word.length > 4 ? word.replace(/(?:ies|es|s)$/, '') : word)

const isTelling = (word: string) => word.length > 2 && !common.has(word)

const common = new Set(
  (
    'the and for with from that this these those was were are has have had his her hers him she they them their our ' +
    'you your its not but who what when where which why how can could will would should may might must shall been ' +
    'being did does doing done about into over than then there here also very just only some any all each every ' +
    'user operator person wants want wanted likes like liked said says say told asked called name named'
  ).split(' '),
)
