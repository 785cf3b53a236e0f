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
import { type Hand, type House, mindDb, type Post } from '../hand.ts'
import type { ScheduledOrder } from '../schedules/order.ts'
import { readHappenings } from './happenings.ts'
import { questionOf, wordedItems } from './wording.ts'

export interface FeedOptions {
  readonly house: House
  readonly post: Post
}

export interface FeedRequest {
  readonly requester: Requester
  /** Let a model word it. */
  readonly worded: boolean
}

export interface Feed {
  /** Writes the digest of what happened since the last one, in this transaction, and has it worded after it. */
  make(hand: Hand, request: FeedRequest): Promise<FeedView>
  /** What the run of a schedule is told, where it is to make the feed. */
  order(hand: Hand, schedule: Schedule): Promise<ScheduledOrder | undefined>
  list(hand: Hand, options: { since?: string; limit: number }): Promise<FeedView[]>
  /** Says whether the run was one of a feed. */
  ended(hand: Hand, run: RunRow, end: RunEnd): Promise<boolean>
}

const collection = 'feeds'

export function createFeed({ house, post }: FeedOptions): Feed {
  async function newest(hand: Hand): Promise<StoredRecord | undefined> {
    return (await hand.records.list(collection, { limit: 1 })).records[0]
  }

  async function digest(hand: Hand, worded: boolean) {
    const from = Number((await newest(hand))?.data['upTo'] ?? 0)
    const { items, label: happened, upTo } = await readHappenings(mindDb(hand.db), from)
    const { goals, label: theirs } = await goalsOf(hand, items)
    const label = joinLabels(joinLabels(happened, theirs), noteLabel)
    const id = `feed_${house.uuid().replaceAll('-', '')}`
    const data = { items: items.map((item) => ({ ...item })), from, upTo, by: 'digest', run: null }
    const record = await hand.records.insert(collection, id, data as unknown as JsonObject, label)
    hand.record({
      type: 'feed.made',
      actor: { kind: 'gateway', id: 'feed' },
      data: { feed: id, from, upTo, items: items.length, worded },
    })
    const titles = new Map(goals.map((goal) => [goal.id, titleOf(goal)]))
    return { id, record, items, label, question: questionOf(items, titles) }
  }

  return {
    async make(hand, { requester, worded }) {
      const { id, record, items, label, question } = await digest(hand, worded)
      if (worded && items.length > 0)
        await post(hand, {
          key: `feed/${id}`,
          session: null,
          opens: idFrom('ses', house.uuid()),
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
    async order(hand, { does }) {
      if (does.kind !== 'feed') return undefined
      const { id, question, label } = await digest(hand, true)
      return { text: question, agent: 'feed', about: id, label }
    },
    async list(hand, { since, limit }) {
      const { records } = await hand.records.list(collection, {
        limit,
        ...(since === undefined ? {} : { between: { field: 'createdAt', from: since } }),
      })
      return records.map(viewOf)
    },
    async ended(hand, run, { reason }) {
      if (!run.about?.startsWith('feed_')) return false
      const record = await hand.records.get(collection, run.about)
      if (!record || reason !== 'completed') return record !== undefined
      const answer = await hand.db
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
      await hand.records.replace(
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
  hand: Hand,
  items: readonly FeedItem[],
): Promise<{ readonly goals: readonly StoredRecord[]; readonly label: Label }> {
  const ids = new Set(items.flatMap(({ goal }) => goal ?? []))
  const found = await Promise.all([...ids].map((id) => hand.records.get('goals', id)))
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
