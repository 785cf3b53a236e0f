/**
 * Owns the feed: a digest of what the ledger shows, written at once and without a model, which a model may then word
 * better. Whatever the model does, the digest stands.
 */
import {
  type FeedItem,
  FeedView,
  idFrom,
  type JsonObject,
  joinLabels,
  type Label,
  noteLabel,
  operatorLabel,
  type Requester,
  type Schedule,
  type StoredRecord,
} from '@countersign/contract'
import type { RunEnd, RunRow } from '@countersign/kernel'
import {
  type AssistantContext,
  type AssistantTransaction,
  assistantDb,
  type PostMessage,
} from '../assistant-context.ts'
import type { ScheduledOrder } from '../schedules/order.ts'
import { readFeedItems } from './feed-items.ts'
import { questionOf, wordedItems } from './wording.ts'

export interface FeedOptions {
  readonly context: AssistantContext
  readonly post: PostMessage
}

export interface FeedRequest {
  readonly requester: Requester
  /** Let a model word it. */
  readonly worded: boolean
}

export interface Feed {
  /** Writes the digest of what happened since the last one, in this transaction, and has it worded after it. */
  make(tx: AssistantTransaction, request: FeedRequest): Promise<FeedView>
  /** What the run of a schedule is told, where it is to make the feed. */
  order(tx: AssistantTransaction, schedule: Schedule): Promise<ScheduledOrder | undefined>
  list(tx: AssistantTransaction, options: { since?: string; limit: number }): Promise<FeedView[]>
  /** Says whether the run was one of a feed. */
  ended(tx: AssistantTransaction, run: RunRow, end: RunEnd): Promise<boolean>
}

const collection = 'feeds'

export function createFeed({ context, post }: FeedOptions): Feed {
  async function newest(tx: AssistantTransaction): Promise<StoredRecord | undefined> {
    return (await tx.records.list(collection, { limit: 1 })).records[0]
  }

  async function digest(tx: AssistantTransaction, worded: boolean) {
    const from = Number((await newest(tx))?.data['upTo'] ?? 0)
    const { items, label: happened, upTo } = await readFeedItems(assistantDb(tx.db), from)
    const { goals, label: theirs } = await goalsOf(tx, items)
    const label = joinLabels(joinLabels(happened, theirs), noteLabel)
    const id = `feed_${context.uuid().replaceAll('-', '')}`
    const data = { items: items.map((item) => ({ ...item })), from, upTo, by: 'digest', run: null }
    const record = await tx.records.insert(collection, id, data as unknown as JsonObject, label)
    tx.record({
      type: 'feed.made',
      actor: { kind: 'gateway', id: 'feed' },
      data: { feed: id, from, upTo, items: items.length, worded },
    })
    const titles = new Map(goals.map((goal) => [goal.id, titleOf(goal)]))
    return { id, record, items, label, question: questionOf(items, titles) }
  }

  return {
    async make(tx, { requester, worded }) {
      const { id, record, items, label, question } = await digest(tx, worded)
      if (worded && items.length > 0)
        await post(tx, {
          key: `feed/${id}`,
          session: null,
          opens: idFrom('ses', context.uuid()),
          title: 'Feed',
          text: question,
          mode: 'queue',
          requester,
          label,
          by: { kind: 'gateway', id: 'feed' },
          work: { agent: 'feed', goal: null, schedule: null, unattended: false, about: id },
        })
      return viewOf(record)
    },
    async order(tx, { does }) {
      if (does.kind !== 'feed') return undefined
      const { id, question, label } = await digest(tx, true)
      return { text: question, agent: 'feed', about: id, label }
    },
    async list(tx, { since, limit }) {
      const { records } = await tx.records.list(collection, {
        limit,
        ...(since === undefined ? {} : { between: { field: 'createdAt', from: since } }),
      })
      return records.map(viewOf)
    },
    async ended(tx, run, { reason }) {
      if (!run.about?.startsWith('feed_')) return false
      const record = await tx.records.get(collection, run.about)
      if (!record || reason !== 'completed') return record !== undefined
      const answer = await tx.db
        .selectFrom('messages')
        .select('text')
        .where('run_id', '=', run.id)
        .where('role', '=', 'assistant')
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirst()
      const material = viewOf(record).items
      const items = wordedItems(answer?.text ?? '', material)
      if (!items) return true
      const data = { ...record.data, items: items.map((item) => ({ ...item })), by: 'model', run: run.id }
      await tx.records.replace(
        collection,
        record.id,
        record.version,
        data as unknown as JsonObject,
        record.label ? joinLabels(record.label, run.label) : run.label,
      )
      return true
    },
  }
}

/** Their titles are told too, and are worth what the goals are. What one was worth that is gone, nobody knows. */
async function goalsOf(
  tx: AssistantTransaction,
  items: readonly FeedItem[],
): Promise<{ readonly goals: readonly StoredRecord[]; readonly label: Label }> {
  const ids = new Set(items.flatMap(({ goal }) => goal ?? []))
  const found = await Promise.all([...ids].map((id) => tx.records.get('goals', id)))
  return {
    goals: found.filter((record) => record !== undefined),
    label: found.reduce<Label>(
      (joined, record) => joinLabels(joined, record ? (record.label ?? joined) : unknown),
      operatorLabel,
    ),
  }
}

const unknown: Label = {
  integrity: 'untrusted',
  confidentiality: 'private',
  sources: ['a goal that is gone'],
}

function titleOf({ id, data }: StoredRecord): string {
  return typeof data['title'] === 'string' ? data['title'] : id
}

function viewOf({ id, data, createdAt }: StoredRecord): FeedView {
  return FeedView.parse({ ...data, id, at: createdAt })
}
