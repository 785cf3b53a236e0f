/** Owns what is shown of channels: the kinds there are, how each stands, and what was sent there. Reads only. */
import type { ChannelManifest } from '@countersign/channels'
import {
  type Channel,
  type ChannelKindView,
  type ChannelView,
  type DeliveryView,
  forDisplay,
} from '@countersign/contract'
import type { RecordTransaction } from '@countersign/kernel'
import { sql } from 'kysely'
import { z } from 'zod'
import type { ChannelStanding } from './channel-process.ts'
import { asideId } from './intake.ts'
import { answerKey } from './outbox.ts'
import { codeMs } from './peers.ts'
import { channelDb } from './tables.ts'

const mostDeliveries = 200
const longestShown = 300

export function kindView(manifest: ChannelManifest): ChannelKindView {
  const { kind, title, about, steps, secrets, settings, direction, proves, decides, can, web } = manifest
  return {
    kind,
    title,
    about,
    steps: [...steps],
    secrets: secrets.map(({ name, label, optional = false }) => ({ name, label, optional })),
    settings: z.toJSONSchema(settings, { io: 'input' }) as Record<string, unknown>,
    direction,
    bindable: direction === 'both' && proves === 'sender',
    decides,
    groups: can.groups,
    web,
  }
}

export interface ShownChannel {
  readonly channel: Channel
  readonly manifest: ChannelManifest | undefined
  readonly standing: ChannelStanding
}

interface Counts {
  readonly channel: string
  readonly last_in: Date | null
  readonly last_out: Date | null
  readonly people: number
  readonly asking: number
  readonly waiting: number
  readonly unknown: number
  readonly held: number
  readonly aside: number
}

export async function channelViews(
  { db, operator, now }: Pick<RecordTransaction, 'db' | 'operator' | 'now'>,
  shown: readonly ShownChannel[],
): Promise<ChannelView[]> {
  const names = shown.map(({ channel }) => channel.name)
  const { rows } = await sql<Counts>`
    select c.channel,
      (select max(at) from channel_inbox i where i.operator_id = ${operator} and i.channel = c.channel) as last_in,
      (select max(sent_at) from channel_outbox o where o.operator_id = ${operator} and o.channel = c.channel) as last_out,
      (select count(*) from channel_peers p where p.operator_id = ${operator} and p.channel = c.channel
        and p.state = 'paired')::int as people,
      (select count(*) from channel_peers p where p.operator_id = ${operator} and p.channel = c.channel
        and p.state = 'asking' and p.code is not null and p.asked_at > ${new Date(now.getTime() - codeMs)})::int as asking,
      (select count(*) from channel_outbox o where o.operator_id = ${operator} and o.channel = c.channel
        and o.state in ('waiting', 'sending'))::int as waiting,
      (select count(*) from channel_outbox o where o.operator_id = ${operator} and o.channel = c.channel
        and o.state = 'unknown')::int as unknown,
      (select count(*) from channel_outbox o where o.operator_id = ${operator} and o.channel = c.channel
        and o.state = 'held')::int as held,
      (select count(*) from channel_inbox i where i.operator_id = ${operator} and i.channel = c.channel
        and i.state = 'aside')::int as aside
    from unnest(${names}::text[]) as c(channel)`.execute(db)
  const counts = new Map(rows.map((row) => [row.channel, row]))
  return shown.map(({ channel, manifest, standing }) => {
    const {
      last_in,
      last_out,
      people = 0,
      asking = 0,
      waiting = 0,
      unknown = 0,
      held = 0,
      aside = 0,
    } = counts.get(channel.name) ?? {}
    return {
      ...channel,
      title: manifest?.title ?? channel.kind,
      state: standing.state,
      since: standing.since.toISOString(),
      problem: standing.problem === null ? null : forDisplay(standing.problem).text,
      account: standing.account && {
        id: forDisplay(standing.account.id).text,
        name: forDisplay(standing.account.name).text,
      },
      lastInAt: last_in?.toISOString() ?? null,
      lastOutAt: last_out?.toISOString() ?? null,
      people,
      asking,
      waiting,
      unknown,
      held,
      aside,
    }
  })
}

export async function deliveriesIn(
  { db }: Pick<RecordTransaction, 'db'>,
  channel: string,
): Promise<DeliveryView[]> {
  const log = channelDb(db)
    .selectFrom('channel_outbox')
    .select(['id', 'key', 'channel', 'chat', 'kind', 'state', 'text', 'attempts', 'problem', 'at', 'sent_at'])
    .where('channel', '=', channel)
  const rest = await log
    .where('state', '<>', 'held')
    .orderBy('position', 'desc')
    .limit(mostDeliveries)
    .execute()
  const held = await log.where('state', '=', 'held').orderBy('position').execute()
  return [...wholeAnswers(held).toReversed(), ...rest, ...(await asideIn(db, channel))]
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .map(({ id, channel: name, chat, kind, state, attempts, text, problem, at, sent_at }) => ({
      id,
      channel: name,
      chat,
      kind,
      state,
      attempts,
      // What was held is read whole by whoever lets it go.
      text: forDisplay(state === 'held' ? text : shownText(kind, text), { multiline: true }).text,
      problem: problem === null ? null : forDisplay(problem).text,
      at: at.toISOString(),
      sentAt: sent_at?.toISOString() ?? null,
    }))
}

/** What came in and could not be handled. */
async function asideIn(db: RecordTransaction['db'], channel: string) {
  const rows = await channelDb(db)
    .selectFrom('channel_inbox')
    .select(['position', 'channel', 'chat', 'event', 'attempts', 'why', 'at'])
    .where('channel', '=', channel)
    .where('state', '=', 'aside')
    .orderBy('position', 'desc')
    .limit(mostDeliveries)
    .execute()
  return rows.map(({ position, event, why, ...row }) => ({
    ...row,
    id: asideId(position),
    key: asideId(position),
    kind: 'incoming' as const,
    state: 'aside' as const,
    text: 'text' in event ? event.text : '',
    problem: why,
    sent_at: null,
  }))
}

/** An answer in several messages is let go as one, so it is read as one. */
function wholeAnswers<Piece extends { readonly key: string; readonly chat: string; readonly text: string }>(
  pieces: readonly Piece[],
): Piece[] {
  const answers = Map.groupBy(pieces, ({ key, chat }) => JSON.stringify([chat, answerKey(key)]))
  return [...answers.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, text: [first, ...others].map(({ text }) => text).join('\n') }] : [],
  )
}

/** A code is told by whoever was shown it, and by nobody else. */
function shownText(kind: DeliveryView['kind'], text: string): string {
  const told = kind === 'pairing' ? text.replace(/[A-Z2-9]{4}-[A-Z2-9]{4}$/, '••••-••••') : text
  return told.slice(0, longestShown)
}
