/** A setting for tests: channels on a real database with a scripted model, and platforms that only remember. */
import { randomUUIDv7 } from 'node:crypto'
import type {
  ChannelManifest,
  InboundEvent,
  InboundMessage,
  OutboundMessage,
  SendResult,
} from '@countersign/channels'
import {
  type AdmitPeer,
  type ChannelChoices,
  type DeviceReach,
  type PeerRole,
  usualChoices,
} from '@countersign/contract'
import { openOwner, openTestKernel, type Replies, type TestKernel } from '@countersign/kernel/testing'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { startTestDatabase } from '../../../../../tests/harness/src/postgres.ts'
import { createChatActs } from '../chat-acts.ts'
import { openChatAnswers } from '../chat-answers.ts'
import type { OpenChannel } from '../chat-of-run.ts'
import { createIntake, type IntakeParts } from '../intake.ts'
import { channelsMigration } from '../migration.ts'
import { createChannelOutbox } from '../outbox.ts'
import { dailyUsdOf, peerLimits } from '../peer-limits.ts'
import { admitPeer } from '../peers.ts'
import { costToday } from '../spent-today.ts'
import { channelDb } from '../tables.ts'

export interface Sent extends OutboundMessage {
  readonly channel: string
  /** The platform's id. */
  readonly message: string
  /** Of the message in whose place it went. */
  readonly changes: string | null
}

export type ChannelBench = Awaited<ReturnType<typeof openChannelBench>>

export interface BenchChannel {
  readonly manifest?: Partial<ChannelManifest>
  readonly choices?: Partial<ChannelChoices>
}

export interface BenchOptions {
  readonly replies?: Replies
  readonly filesOf?: IntakeParts['filesOf']
}

const usualManifest: ChannelManifest = {
  kind: 'remembered',
  title: 'Remembered',
  about: 'A platform of tests.',
  steps: [],
  settings: z.strictObject({}),
  secrets: [],
  text: { most: 4_000, unit: 'characters' },
  files: null,
  can: { edit: true, typing: true, buttons: true, groups: true },
  sendsOnce: false,
  proves: 'sender',
  decides: 2,
  web: false,
  direction: 'both',
}

export async function openChannelBench({
  replies = () => ({ text: 'Done.' }),
  filesOf = () => Promise.resolve({ attachments: [], spoken: [] }),
}: BenchOptions = {}) {
  const database = await startTestDatabase()
  const test: TestKernel = await openTestKernel(database.connection, replies, {
    migrations: [channelsMigration],
    middleware: [peerLimits()],
    dailyUsdOf,
  })
  const { operator, records } = test.kernel
  const channels = new Map<string, OpenChannel>()
  /** The workspace. */
  const files = new Map<string, Uint8Array>()
  const sent: Sent[] = []
  const problems: unknown[] = []
  const pressed: { event: string; text: string }[] = []
  let ahead = 0
  let named = 0
  let count = 0
  test.now = () => new Date(Date.now() + ahead)
  const clock = () => test.now()

  const openOutbox = () =>
    createChannelOutbox({
      operator,
      records,
      uuid: randomUUIDv7,
      clock,
      manifestOf: (name) => channels.get(name)?.manifest,
      fileOf: async (path, most) => {
        const bytes = files.get(path)
        return bytes && bytes.length <= most ? bytes : undefined
      },
      woken: () => undefined,
    })
  const outbox = openOutbox()
  const review = (code: string) => `https://example.org/approvals/${code}`
  const acts = createChatActs({
    kernel: test.kernel,
    operator,
    uuid: randomUUIDv7,
    outbox,
    review,
    status: () => Promise.resolve('Everything is well.'),
    cost: () => costToday(test.kernel, operator, 'UTC'),
  })
  const intakeParts: IntakeParts = {
    kernel: test.kernel,
    operator,
    uuid: randomUUIDv7,
    zone: 'UTC',
    clock,
    outbox,
    acts,
    filesOf,
    pressed: (_channel, event, text) => pressed.push({ event, text }),
    onProblem: (problem) => problems.push(problem),
  }
  const intake = createIntake(intakeParts)
  const owner = openOwner(database.connection, clock)

  function channel(name: string): OpenChannel {
    const found = channels.get(name)
    if (!found) throw new Error(`there is no channel ${name}`)
    return found
  }

  const bench = {
    /** The superuser, who sees the rows past the product. */
    administrator: { ...database.administrator, database: database.connection.database },
    test,
    operator,
    records,
    files,
    outbox,
    /** That of another process. */
    openOutbox,
    intake,
    intakeParts,
    sent,
    problems,
    pressed,
    clock,
    channel,
    /** Time passes. */
    pass(ms: number) {
      ahead += ms
    },
    addChannel({ manifest, choices }: BenchChannel = {}): string {
      named += 1
      const name = `channel${named}`
      channels.set(name, {
        name,
        manifest: { ...usualManifest, ...manifest },
        choices: { ...usualChoices, ...choices },
      })
      return name
    },
    choose(name: string, choices: Partial<ChannelChoices>) {
      const known = channel(name)
      channels.set(name, { ...known, choices: { ...known.choices, ...choices } })
    },
    event(from: string, text: string, over: Partial<InboundMessage> = {}): InboundMessage {
      count += 1
      return {
        type: 'message',
        id: `m${count}`,
        chat: { id: `chat-${from}`, kind: 'private', title: from },
        at: clock().toISOString(),
        sender: { id: from, name: from, proven: true, bot: false },
        text,
        thread: null,
        addressed: true,
        forwarded: false,
        files: [],
        ...over,
      }
    },
    /** As it comes in from the platform, and is worked on. */
    async hear(name: string, ...events: InboundEvent[]): Promise<void> {
      for (const event of events) await intake.take(name, event)
      await intake.work(channel(name))
    },
    say: (name: string, from: string, text: string, over: Partial<InboundMessage> = {}) =>
      bench.hear(name, bench.event(from, text, over)),
    /** Everything that waits goes out, and is remembered. */
    deliver: (name: string, answer?: (message: OutboundMessage) => SendResult | Promise<SendResult>) => {
      const take = (changes: string | null) => async (message: OutboundMessage) => {
        const result = (await answer?.(message)) ?? { kind: 'sent', message: `p${sent.length + 1}` }
        if (result.kind === 'sent') sent.push({ ...message, channel: name, message: result.message, changes })
        return result
      }
      return outbox.deliver(name, {
        manifest: channel(name).manifest,
        send: take(null),
        edit: (message, change) => take(message)(change),
      })
    },
    sentTo: (name: string, chat: string) =>
      sent.filter((each) => each.channel === name && each.chat === chat).map(({ text }) => text),
    /** The code that somebody is shown. */
    async codeOf(name: string, peer: string): Promise<string> {
      const row = await bench.peer(name, peer)
      if (!row?.code) throw new Error(`${peer} was shown no code`)
      return row.code
    },
    peer: (name: string, peer: string) =>
      records.read(operator, ({ db }) =>
        channelDb(db)
          .selectFrom('channel_peers')
          .selectAll()
          .where('channel', '=', name)
          .where('peer', '=', peer)
          .executeTakeFirst(),
      ),
    async admit(
      code: string,
      role: PeerRole = 'guest',
      reach: DeviceReach = 3,
      limits: AdmitPeer['limits'] = {},
    ) {
      const { value } = await records.change(operator, (tx) =>
        admitPeer(
          tx,
          { code, role, limits },
          { actor: { kind: 'operator', id: 'desk' }, reach },
          (name) => channels.get(name)?.manifest.proves === 'sender',
        ),
      )
      return value
    },
    /** Somebody writes and is let in. */
    async letIn(name: string, peer: string, role: PeerRole = 'guest', limits: AdmitPeer['limits'] = {}) {
      await bench.say(name, peer, 'Hello?', { sender: { id: peer, name: peer, proven: true, bot: false } })
      return bench.admit(await bench.codeOf(name, peer), role, 3, limits)
    },
    inbox: (name: string) =>
      records.read(operator, ({ db }) =>
        channelDb(db)
          .selectFrom('channel_inbox')
          .select(['id', 'state', 'why', 'chat', 'peer', 'event'])
          .where('channel', '=', name)
          .orderBy('position')
          .execute(),
      ),
    letters: (name: string) =>
      records.read(operator, ({ db }) =>
        channelDb(db)
          .selectFrom('channel_outbox')
          .selectAll()
          .where('channel', '=', name)
          .orderBy('position')
          .execute(),
      ),
    /** What was admitted from a channel, in order. */
    inputs: (name: string) =>
      test.kernel.readOnly(operator, async (db) => {
        const rows = await db
          .selectFrom('inputs')
          .select(['key', 'text', 'requester', 'label', 'work', 'session_id'])
          .where('key', 'like', `channel/${name}/%`)
          .orderBy('created_at')
          .orderBy('id')
          .execute()
        return rows
      }),
    /** A request that waits for the operator. */
    async pending(count = 1) {
      for (;;) {
        const rows = await test.kernel.readOnly(operator, (db) =>
          db.selectFrom('approvals').selectAll().where('state', '=', 'pending').execute(),
        )
        if (rows.length >= count) return rows
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    /** All runs have come to their end, or wait for somebody. */
    async quiet(): Promise<void> {
      for (let quiet = 0; quiet < 2; ) {
        const busy = await test.kernel.readOnly(operator, (db) =>
          db.selectFrom('runs').select('id').where('state', '=', 'running').limit(1).execute(),
        )
        quiet = busy.length === 0 ? quiet + 1 : 0
        if (busy.length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    openAnswers: (post = outbox.post) =>
      openChatAnswers({
        kernel: test.kernel,
        operator,
        outbox: { post },
        channel: (name) => channels.get(name),
        channels: () => [...channels.values()],
        review,
        typing: () => undefined,
        edit: (name, message, change) => {
          sent.push({ ...change, channel: name, message, changes: message })
          return Promise.resolve({ kind: 'sent', message })
        },
        onProblem: (problem) => problems.push(problem),
      }),
    query: (text: RawBuilder<unknown>) => owner.within(operator, ({ db }) => text.execute(db)),
    async close(): Promise<void> {
      await owner.close()
      await test.close()
      await database.stop()
    },
  }
  return bench
}
