/**
 * Owns the channels of this gateway as a whole: opens those that the operator keeps, each in its process, lets what comes
 * in be worked on and what waits go out, and closes them. Without a channel nothing runs and nothing is asked.
 */
import type {
  ChannelManifest,
  OutboundMessage,
  SendResult,
  WebAnswer,
  WebRequest,
} from '@countersign/channels'
import {
  type AdmitPeer,
  type ChangePeer,
  type Channel,
  type ChannelKindView,
  type ChannelStored,
  type ChannelView,
  type ChooseChannel,
  CountersignError,
  type DeliveryView,
  isPluginChannelKind,
  type Label,
  type OperatorId,
  type PeerAdmitted,
  type PeerView,
  type StoreChannel,
} from '@countersign/contract'
import type { Kernel, RecordTransaction } from '@countersign/kernel'
import type { AccountSecrets } from '../accounts/account-store.ts'
import type { RequestSender } from '../server/request-sender.ts'
import type { ActingOperator } from '../server/secrets.ts'
import type { UploadStore } from '../workspace/upload-store.ts'
import { createAdapterState } from './adapter-state.ts'
import { bindAccount } from './bound-account.ts'
import type { ChannelKinds } from './channel-kinds.ts'
import { type ChannelProcess, type ChannelStanding, startChannelProcess } from './channel-process.ts'
import { channelsIn, createChannelStore } from './channel-store.ts'
import { channelViews, deliveriesIn, kindView } from './channel-views.ts'
import { createChatActs } from './chat-acts.ts'
import { type ChatAnswers, openChatAnswers } from './chat-answers.ts'
import { createChatFiles } from './chat-files.ts'
import type { OpenChannel } from './chat-of-run.ts'
import { createChatSpeech } from './chat-speech.ts'
import { endWorkOf } from './end-work.ts'
import { createIntake, labelOfSender } from './intake.ts'
import { createLead } from './lead.ts'
import { pauseOrphans } from './orphaned-channels.ts'
import { createChannelOutbox, type Letter, type OutboxParts } from './outbox.ts'
import { admitPeer, changePeer, operatorsOwn, peerId, peersIn } from './peers.ts'
import { costToday } from './spent-today.ts'
import { createStandingNotes, type NotedState } from './standing-notes.ts'

export interface ChannelsParts {
  readonly kernel: Kernel
  readonly operator: OperatorId
  readonly secrets: AccountSecrets
  readonly secretValue: (name: string) => Promise<string | undefined>
  readonly uploads: UploadStore
  readonly kinds: ChannelKinds
  readonly uuid: () => string
  readonly clock: () => Date
  readonly zone: string
  readonly fileOf: OutboxParts['fileOf']
  /** Where the app is for whoever reads a link in a chat. */
  readonly appUrl: () => string
  readonly onProblem: (problem: unknown) => void
}

export interface Channels {
  /** Reads what there is, before anybody can ask. */
  prepare(): Promise<void>
  /** Opens what there is, and follows what changes. */
  start(): Promise<void>
  /** As they are offered. */
  kinds(): ChannelKindView[]
  list(operator: OperatorId): Promise<ChannelView[]>
  store(by: ActingOperator, name: string, channel: StoreChannel): Promise<ChannelStored>
  choose(by: ActingOperator, name: string, choices: ChooseChannel): Promise<ChannelStored>
  remove(by: ActingOperator, name: string): Promise<number>
  /** To how many chats of the operator's own a line was sent. */
  test(by: ActingOperator, name: string): Promise<number>
  deliveries(operator: OperatorId, name: string): Promise<DeliveryView[]>
  settle(by: ActingOperator, id: string, send: boolean): Promise<number>
  peers(operator: OperatorId): Promise<PeerView[]>
  admit(by: RequestSender, peer: AdmitPeer): Promise<PeerAdmitted>
  change(by: ActingOperator, change: ChangePeer): Promise<number>
  /** What the web sent to the address of a channel; undefined where nothing takes it. */
  request(name: string, request: WebRequest): Promise<WebAnswer | undefined>
  close(): Promise<void>
}

interface RunningChannel {
  readonly open: OpenChannel
  /** What it was started with; another start is needed when it differs. */
  readonly asStored: string
  readonly process: ChannelProcess
  /** Looks for work, now or after the look that is under way. */
  takeIn(): void
  sendOut(): void
  close(): Promise<void>
}

const testLasts = 10 * 60_000
const failedMs = 5_000
const sweepMs = 60_000
/** What a platform says for a moment is not worth an entry. */
const standingLastsMs = 30_000
const longestProblem = 300
const standingEntries = {
  connected: 'channel.connected',
  disconnected: 'channel.disconnected',
  rejected: 'channel.rejected',
} as const

export function createChannels(parts: ChannelsParts): Channels {
  const { kernel, operator, kinds, clock, onProblem } = parts
  const { records } = kernel
  const store = createChannelStore({
    kinds,
    records,
    secrets: parts.secrets,
    secretValue: parts.secretValue,
  })
  const adapterState = createAdapterState(records, operator)
  const running = new Map<string, RunningChannel>()
  /** As they are kept; what is paused or cannot be opened is here too. */
  let kept: readonly Channel[] = []
  /** What is told while one is paused or started anew waits for it. */
  let openings: ReadonlyMap<string, OpenChannel> = new Map()
  let answers: ChatAnswers | undefined
  let leads = false
  let isClosed = false
  let turn: Promise<void> = Promise.resolve()

  const review = (code: string) => `${parts.appUrl()}/approvals/${code}`
  const outbox = createChannelOutbox({
    operator,
    records,
    uuid: parts.uuid,
    clock,
    manifestOf: (name) => manifestOfChannel(name),
    fileOf: parts.fileOf,
    woken: (name) => running.get(name)?.sendOut(),
  })
  const hear = createChatSpeech({ kernel, operator })
  const fetchFiles = createChatFiles({ kernel, operator, uploads: parts.uploads, hear })
  const cost = () => costToday(kernel, operator, parts.zone)
  const intake = createIntake({
    kernel,
    operator,
    uuid: parts.uuid,
    zone: parts.zone,
    clock,
    outbox,
    acts: createChatActs({ kernel, operator, uuid: parts.uuid, outbox, review, status, cost }),
    filesOf(channel, event, peer) {
      const label: Label | undefined = labelOfSender(channel, peer, event)
      const fetch = (ref: string, most: number) =>
        running.get(channel.name)?.process.fetch(ref, most) ?? Promise.resolve(undefined)
      return fetchFiles(event, peer, label, fetch)
    },
    pressed: (name, event, text) => running.get(name)?.process.pressed(event, text),
    onProblem,
  })
  const lead = createLead({
    records,
    operator,
    uuid: parts.uuid,
    clock,
    slot: kernel.slot,
    isAlone: () => kernel.isAlone(),
    onProblem,
    changed(now) {
      leads = now
      void inTurn(reconcile)
    },
  })
  const standings = createStandingNotes({
    lastsMs: standingLastsMs,
    write: (name, state, problem) => void inTurn(() => noteStanding(parts, name, state, problem)),
  })
  let stopListening: (() => void) | undefined

  function inTurn(work: () => Promise<void>): Promise<void> {
    turn = turn.then(work).catch(onProblem)
    return turn
  }

  function manifestOfChannel(name: string): ChannelManifest | undefined {
    const channel = kept.find((each) => each.name === name)
    return channel && kinds.find(channel.kind)
  }

  async function status(): Promise<string> {
    const { runs, approvals } = await kernel.readOnly(operator, async (db) => ({
      runs: await db.selectFrom('runs').select('id').where('state', '=', 'running').limit(100).execute(),
      approvals: await db
        .selectFrom('approvals')
        .select('id')
        .where('state', '=', 'pending')
        .limit(100)
        .execute(),
    }))
    return `${runs.length} running, ${approvals.length} waiting for you.`
  }

  async function readKept(): Promise<void> {
    kept = await store.list(operator)
    openings = new Map(
      kept.flatMap((channel) => {
        const manifest = kinds.find(channel.kind)
        return manifest ? [[channel.name, openOf(channel, manifest)] as const] : []
      }),
    )
  }

  /** Makes what runs here what is kept. */
  async function reconcile(): Promise<void> {
    await readKept()
    if (leads && (await pauseOrphans({ store, records, operator, kinds }, kept))) await readKept()
    if (kept.length > 0) lead.begin()
    const wanted = new Map<string, string>()
    if (leads && !isClosed)
      for (const channel of kept)
        if (!channel.choices.paused && kinds.problem(channel.kind) === null)
          wanted.set(channel.name, await asStored(channel))
    const ended = [...running].filter(([name, { asStored: text }]) => wanted.get(name) !== text)
    for (const [name] of ended) running.delete(name)
    await Promise.all(ended.map(([, channel]) => channel.close()))
    for (const channel of kept) {
      const text = wanted.get(channel.name)
      const manifest = kinds.find(channel.kind)
      if (text === undefined || !manifest || running.has(channel.name)) continue
      await outbox.recover(channel.name, manifest)
      running.set(channel.name, runChannel(channel, manifest, text))
    }
    if (running.size > 0) await listenForAnswers()
    else await stopAnswers()
    // A call of a tool may have posted something, in another process too.
    for (const channel of running.values()) channel.sendOut()
  }

  /** Another text for every other way to start it. A changed secret is another start, and so is a plugin that was updated. */
  async function asStored(channel: Channel): Promise<string> {
    return JSON.stringify([channel, await store.secretsOf(channel), kinds.program(channel.kind)])
  }

  async function listenForAnswers(): Promise<void> {
    answers ??= await openChatAnswers({
      kernel,
      operator,
      outbox,
      channel: (name) => openings.get(name),
      channels: () => [...openings.values()],
      review,
      typing: (name, chat) => running.get(name)?.process.typing(chat, null),
      edit: async (name, message, change) =>
        (await running.get(name)?.process.edit(message, change)) ?? {
          kind: 'refused',
          problem: 'It is closed.',
        },
      onProblem,
    })
  }

  async function stopAnswers(): Promise<void> {
    const last = answers
    answers = undefined
    await last?.close()
  }

  function runChannel(channel: Channel, manifest: ChannelManifest, text: string): RunningChannel {
    const { name } = channel
    let open = openOf(channel, manifest)
    /** As whom it is there is known, and the rows are of that account. */
    let isBound = false
    const over = new AbortController()
    const process = startChannelProcess({
      kind: channel.kind,
      open: () => kinds.open(channel),
      start: async () => ({
        settings: channel.settings,
        secrets: await store.secretsOf(channel),
        state: await adapterState.of(name),
      }),
      async take(event) {
        await intake.take(name, event)
        takeIn()
      },
      keep: (state) => adapterState.keep(name, state),
      redact: kernel.redactor.text,
      stands: (standing) => standings.note(name, standing),
      connected: learnAccount(parts, channel, manifest, {
        anew: () => over.signal.aborted || void inTurn(() => startAnew(name)),
        bound(epoch) {
          open = { ...open, epoch }
          isBound = true
          takeIn()
          sendOut()
        },
      }),
      onProblem,
    })
    const takeIn = wakeable(over.signal, onProblem, async (later) => {
      // What comes in before that waits: it may be of people whom another account let in.
      if (isBound) await intake.work(open, later)
    })
    const sendOut = wakeable(over.signal, onProblem, async (later) => {
      if (isBound && process.standing().state === 'connected')
        await outbox.deliver(name, { manifest, send: process.send, edit }, later)
    })

    // What was shown of an answer never comes after it.
    async function edit(message: string, change: OutboundMessage): Promise<SendResult> {
      await answers?.settled(message)
      return process.edit(message, change)
    }

    return {
      open,
      asStored: text,
      process,
      takeIn,
      sendOut,
      async close() {
        over.abort()
        await process.close()
      },
    }
  }

  async function startAnew(name: string): Promise<void> {
    const last = running.get(name)
    running.delete(name)
    await last?.close()
    await reconcile()
  }

  function standingOf(channel: Channel): ChannelStanding {
    const there = running.get(channel.name)
    if (there) return there.process.standing()
    const problem = kinds.problem(channel.kind)
    const waits = problem === null ? 'connecting' : 'rejected'
    return { state: channel.choices.paused ? 'paused' : waits, since: clock(), problem, account: null }
  }

  async function requireChannel(tx: RecordTransaction, name: string): Promise<Channel> {
    const channel = (await channelsIn(tx)).find((each) => each.name === name)
    if (channel) return channel
    throw new CountersignError('not_found', `There is no channel ${name}.`, {
      next: 'See them with `countersign channel list`.',
    })
  }

  return {
    prepare: readKept,
    async start() {
      const { stop } = await kernel.stream.listen(operator, {
        events(events) {
          if (events.some(({ body }) => body.type === 'channels.changed')) void inTurn(reconcile)
        },
        delta: () => undefined,
      })
      const unwatch = kinds.watch(() => {
        if (kept.some(({ kind }) => isPluginChannelKind(kind))) void inTurn(reconcile)
      })
      stopListening = () => {
        stop()
        unwatch()
      }
      await inTurn(reconcile)
    },
    kinds: () => kinds.all().map(kindView),
    list: (of) =>
      records.read(of, async (tx) => {
        const shown = (await channelsIn(tx)).map((channel) => ({
          channel,
          manifest: kinds.find(channel.kind),
          standing: standingOf(channel),
        }))
        return channelViews(tx, shown)
      }),
    async store(by, name, channel) {
      const stored = await store.store(by, name, channel)
      await inTurn(reconcile)
      return stored
    },
    async choose(by, name, choices) {
      const stored = await store.choose(by, name, choices)
      await inTurn(reconcile)
      return stored
    },
    async remove(by, name) {
      const ledger = await store.remove(by, name)
      await inTurn(reconcile)
      return ledger
    },
    async test(by, name) {
      const { value } = await records.change(by.operator, async (tx) => {
        await requireChannel(tx, name)
        const chats = await testedChats(tx, name, openings.get(name)?.noticeChat)
        for (const chat of chats) await outbox.post(tx, testLine(name, chat, parts.uuid()))
        tx.record({ type: 'channel.tested', actor: by.actor, data: { channel: name, chats: chats.length } })
        return chats.length
      })
      return value
    },
    deliveries: (of, name) =>
      records.read(of, async (tx) => {
        await requireChannel(tx, name)
        return deliveriesIn(tx, name)
      }),
    async settle(by, id, send) {
      const { value, ledger } = await records.change(by.operator, async (tx) => {
        const aside = await intake.settleAside(tx, id, send)
        const channel = aside ?? (await outbox.settle(tx, id, send))
        const [done, dropped] =
          aside === undefined
            ? ['channel.held_sent', 'channel.held_dropped']
            : ['channel.aside_again', 'channel.aside_left']
        tx.record({
          type: send ? done : dropped,
          actor: by.actor,
          data: { delivery: id, channel },
        })
        tx.emit({ type: 'channels.changed' })
        return channel
      })
      running.get(value)?.sendOut()
      running.get(value)?.takeIn()
      return ledger
    },
    peers: (of) => records.read(of, (tx) => peersIn(tx)),
    async admit({ operator: of, actor, reach }, peer) {
      const { value, ledger } = await records.change(of, (tx) =>
        admitPeer(
          tx,
          peer,
          { actor, reach },
          (name) =>
            manifestOfChannel(name)?.proves === 'sender' && manifestOfChannel(name)?.direction === 'both',
        ),
      )
      return { peer: value, ledger }
    },
    async change(by, change) {
      const { ledger } = await records.change(by.operator, (tx) => changePeer(tx, change, by.actor))
      if (change.change.kind !== 'limit')
        await endWorkOf(kernel, operator, peerId(change.channel, change.peer), by.actor)
      return ledger
    },
    request: async (name, request) => {
      if (!openings.get(name)?.manifest.web) return undefined
      return (await running.get(name)?.process.request(request)) ?? notNow
    },
    async close() {
      isClosed = true
      intake.end()
      standings.close()
      stopListening?.()
      await turn
      await Promise.all([...running.values()].map((channel) => channel.close()))
      running.clear()
      await stopAnswers()
      await lead.close()
    },
  }
}

/** As whom it connects, before anything of it is worked on or sent; a process that begins anew says it again. */
function learnAccount(
  { kernel, operator, uuid, onProblem }: ChannelsParts,
  channel: Channel,
  manifest: ChannelManifest,
  told: { readonly bound: (epoch: string) => void; readonly anew: () => void },
): (account: { readonly id: string; readonly name: string }) => void {
  return (account) => {
    kernel.records
      .change(operator, (tx) => bindAccount(tx, channel, manifest, account, uuid))
      // It was started with what another account had kept.
      .then(({ value }) => (value.changed ? told.anew() : told.bound(value.epoch)))
      .catch((problem: unknown) => {
        onProblem(problem)
        setTimeout(told.anew, failedMs).unref()
      })
  }
}

async function noteStanding(
  { kernel, operator }: ChannelsParts,
  name: string,
  state: NotedState,
  problem: string | null,
): Promise<void> {
  await kernel.records.change(operator, async (tx) => {
    tx.record({
      type: standingEntries[state],
      actor: { kind: 'gateway', id: 'channels' },
      data: { name, ...(problem === null ? {} : { problem: problem.slice(0, longestProblem) }) },
    })
    tx.emit({ type: 'channels.changed' })
  })
}

/** Each has a mark, so that somebody who tests twice sees which of them came. */
function testLine(channel: string, chat: string, id: string): Letter {
  const mark = id.replaceAll('-', '').slice(-6)
  const text = `This is a test (${mark}): what you read here came from your assistant.`
  return { key: `test/${id}`, channel, chat, kind: 'test', text, format: 'plain', lastsMs: testLasts }
}

/** The operator's own chats, and where notices go: a platform that only takes those is tested there. */
async function testedChats(
  tx: RecordTransaction,
  name: string,
  noticeChat: string | undefined,
): Promise<readonly string[]> {
  const own = (await operatorsOwn(tx, name)).map(({ chat }) => chat)
  return [...new Set(noticeChat === undefined ? own : [...own, noticeChat])]
}

/** A platform sends it again. */
const notNow: WebAnswer = { status: 503, mediaType: 'text/plain', text: 'Not now.' }

function openOf({ name, settings, choices }: Channel, manifest: ChannelManifest): OpenChannel {
  const noticeChat = manifest.noticeChat?.(settings)
  const tellsEnds = manifest.tellsEnds?.(settings) === true
  return { name, manifest, choices, tellsEnds, ...(noticeChat === undefined ? {} : { noticeChat }) }
}

/** Work is asked for whenever it is woken. What comes later, and what failed, is asked for in its time. */
function wakeable(
  signal: AbortSignal,
  onProblem: (problem: unknown) => void,
  work: (later: (at: Date) => void) => Promise<void>,
): () => void {
  let timer: NodeJS.Timeout | undefined
  let timed = Number.POSITIVE_INFINITY
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })

  function later(at: Date): void {
    if (signal.aborted || at.getTime() >= timed) return
    clearTimeout(timer)
    timed = at.getTime()
    timer = setTimeout(wake, Math.min(Math.max(timed - Date.now(), 0), sweepMs))
    timer.unref()
  }

  function wake(): void {
    if (signal.aborted) return
    clearTimeout(timer)
    timed = Number.POSITIVE_INFINITY
    work(later).catch((problem: unknown) => {
      onProblem(problem)
      later(new Date(Date.now() + failedMs))
    })
  }
  return wake
}
