/** Owns a stretch of a session in the form in which it is summarised and searched: who said what, and what was done. */
import { joinLabels, type Label, operatorLabel, type RunId, type SessionId } from '@countersign/contract'
import { sql } from 'kysely'
import type { HistoryDb } from './tables.ts'
import type { ConversationLine } from './turn.ts'
import { beginning, plainLine } from './wording.ts'

export interface ConversationStretch {
  readonly turns: readonly ConversationLine[]
  readonly from: number
  readonly to: number
  readonly messages: number
  readonly calls: number
  /** What a model was shown of it, estimated. */
  readonly tokens: number
  readonly agent: string
  readonly goal: string | null
  readonly label: Label
  readonly startedAt: Date
  readonly endedAt: Date
}

/** What is kept of one conversation for search. */
const mostText = 200_000
const leastShare = 200
const longestActivity = 300
const aroundCall = 50

/** The messages after one place and up to another; undefined where there are none. */
export async function readStretch(
  db: HistoryDb,
  session: SessionId,
  place: { readonly after: number; readonly to: number },
): Promise<ConversationStretch | undefined> {
  const messages = await db
    .selectFrom('messages')
    .select(['position', 'run_id', 'turn', 'role', 'text', 'label', 'at'])
    .where('session_id', '=', session)
    .where('position', '>', place.after)
    .where('position', '<=', place.to)
    .orderBy('position')
    .execute()
  const [first] = messages
  const last = messages.at(-1)
  if (!first || !last) return undefined
  const ids = [...new Set(messages.map((message) => message.run_id))]
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'agent', 'goal', 'label'])
    .where('id', '=', sql<RunId>`any(${ids})`)
    .execute()
  const calls = await callActivityOf(db, ids)
  const byTurn = Map.groupBy(calls, (call) => `${call.run_id}/${call.turn}`)
  const share = Math.max(leastShare, Math.floor(mostText / (messages.length + calls.length)))
  const turns: ConversationLine[] = []
  let made = 0
  let characters = 0
  for (const { position, run_id, turn, role, text } of messages) {
    characters += text.length
    const by = role === 'user' ? 'user' : 'agent'
    if (text.trim() !== '') turns.push({ position, by, text: beginning(text, share) })
    for (const call of role === 'assistant' ? (byTurn.get(`${run_id}/${turn}`) ?? []) : []) {
      made += 1
      characters += call.size + 2 * aroundCall
      turns.push({ position, by: 'tool', text: activityText(call) })
    }
  }
  const lastRun = runs.find((run) => run.id === last.run_id)
  return {
    turns,
    from: first.position,
    to: last.position,
    messages: messages.length,
    calls: made,
    tokens: Math.ceil(characters / 4),
    agent: lastRun?.agent ?? 'assistant',
    goal: lastRun?.goal ?? null,
    label: [...messages, ...runs].reduce((joined, { label }) => joinLabels(joined, label), operatorLabel),
    startedAt: first.at,
    endedAt: last.at,
  }
}

export interface CallActivity {
  readonly run_id: RunId
  readonly turn: number
  readonly tool: string
  readonly headline: string
  readonly outcome: string | null
  readonly summary: string
  readonly size: number
}

/** What the runs did, in order; calls within calls are told with the outermost. */
export function callActivityOf(db: HistoryDb, runs: readonly RunId[]): Promise<CallActivity[]> {
  return db
    .selectFrom('calls')
    .select(['run_id', 'turn', 'tool', 'headline', 'outcome', 'summary'])
    .select(sql<number>`length(raw_args) + length(result_text)`.as('size'))
    .where('run_id', '=', sql<RunId>`any(${runs})`)
    .where('parent_id', 'is', null)
    .orderBy('run_id')
    .orderBy('turn')
    .orderBy('position')
    .execute()
}

/** One line: what was to be done, and what came of it. */
export function activityText(call: Pick<CallActivity, 'headline' | 'outcome' | 'summary'>): string {
  const came = call.outcome === null ? 'not done' : call.outcome === 'ok' ? 'done' : call.outcome
  const more = call.summary === '' || call.summary === call.headline ? '' : `: ${call.summary}`
  return beginning(plainLine(`${call.headline} (${came})${more}`), longestActivity)
}
