/**
 * Owns the reading of the inbox: connects, reads what is new in order, hands it over, and remembers up to where all of
 * it is taken. Comes back by itself. What is read again after a restart or a change of the numbers has the same id.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import type { ChannelContext } from '../frame/adapter.ts'
import { RejectedError } from '../frame/adapter.ts'
import { createKeeper, type Keeper } from '../frame/keeper.ts'
import { pauseAfter, type Taking } from '../frame/take-in-turn.ts'
import { type ImapParts, imapProblem, largestMail, openImap } from './imap-line.ts'
import type { EmailSettings } from './manifest.ts'
import { type Position, readPosition, writePosition } from './position.ts'
import type { RawMail, ReadEmail } from './read-email.ts'

export interface InboxParts {
  readonly context: ChannelContext<EmailSettings>
  readonly imap: ImapParts
  readonly taking: Taking
  readonly read: ReadEmail
  /** Looks again after so long even if nobody said that something came. */
  readonly lookEveryMs: number
}

export interface Inbox {
  /** The connection that is open now; undefined while there is none. */
  client(): ImapFlow | undefined
  /** Resolves when the work has ended, which the signal asks for. */
  readonly ended: Promise<void>
}

const pauses = { first: 250, longest: 60_000, rejected: 30_000 }
const mostWaiting = 20
const day = 24 * 60 * 60_000

/** Rejects where a person must change something before it can work at all. */
export async function openInbox(parts: InboxParts): Promise<Inbox> {
  const reading: Reading = {
    ...parts,
    position: readPosition(parts.context.state),
    numbers: { waiting: new Map(), done: new Set() },
    client: undefined,
    keeper: createKeeper(parts.context, () => (reading.position ? writePosition(reading.position) : '')),
  }
  const first = await connect(reading)
  const ended = stay(reading, first)
  return { client: () => reading.client, ended }
}

interface Reading extends InboxParts {
  position: Position | undefined
  /** Of this life of the mailbox; another one counts from the beginning. */
  numbers: Numbers
  client: ImapFlow | undefined
  readonly keeper: Keeper
}

interface Numbers {
  /** What was read and is not taken yet. What fails when the channel ends stays here, so that nothing passes it. */
  readonly waiting: Map<number, Promise<void>>
  /** What is taken above the position, since something below is not. */
  readonly done: Set<number>
}

/** Undefined where it cannot be reached. */
async function connect(reading: Reading): Promise<ImapFlow | undefined> {
  const { context, imap } = reading
  try {
    const client = await openImap(imap)
    reading.client = client
    await begin(reading, client)
    context.connected({
      id: context.settings.address,
      name: context.settings.name || context.settings.address,
    })
    return client
  } catch (error) {
    if (error instanceof RejectedError) throw error
    reading.client?.close()
    reading.client = undefined
    if (!context.signal.aborted) context.disconnected(imapProblem(error, context.settings))
    return undefined
  }
}

async function stay(reading: Reading, first: ImapFlow | undefined): Promise<void> {
  const { signal, disconnected, settings } = reading.context
  let client = first
  for (let failures = 0; !signal.aborted; ) {
    if (client) {
      failures = 0
      const problem = await follow(reading, client).then(
        () => 'The connection ended.',
        (error: unknown) => imapProblem(error, settings),
      )
      reading.client = undefined
      client.close()
      client = undefined
      if (!signal.aborted) disconnected(problem)
    }
    await rest(pauseAfter(failures, pauses.first, pauses.longest), signal)
    failures += 1
    try {
      if (!signal.aborted) client = await connect(reading)
    } catch (error) {
      // The password may be changed back; it is not tried so often that the server shuts us out.
      disconnected(error instanceof Error ? error.message : String(error))
      await rest(pauses.rejected, signal)
    }
  }
  client?.close()
}

/** Where it begins: at the end of the inbox at the first start, and by the time where the numbers are others. */
async function begin(reading: Reading, client: ImapFlow): Promise<void> {
  const { mailbox } = client
  if (mailbox === false) throw new Error('The inbox is not open.')
  const validity = String(mailbox.uidValidity)
  if (reading.position?.validity === validity) return
  reading.numbers = { waiting: new Map(), done: new Set() }
  const at = reading.position?.at ?? new Date().toISOString()
  const last = Math.max(mailbox.uidNext - 1, 0)
  const since = reading.position ? await firstSince(client, new Date(Date.parse(at) - day)) : last + 1
  reading.position = { validity, uid: Math.min(since - 1, last), at }
  await reading.context.keep(writePosition(reading.position))
}

async function firstSince(client: ImapFlow, since: Date): Promise<number> {
  const found = (await client.search({ since }, { uid: true })) || []
  return found.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...found)
}

/** Reads what is new, and again whenever something comes. Resolves or rejects when the connection is gone. */
async function follow(reading: Reading, client: ImapFlow): Promise<void> {
  const { signal } = reading.context
  let wake: () => void = () => undefined
  let isNew = true
  const stir = (): void => {
    isNew = true
    wake()
  }
  client.on('exists', stir)
  const closed = new Promise<void>((resolve) => {
    client.once('close', () => {
      wake()
      resolve()
    })
  })
  while (client.usable && !signal.aborted) {
    if (isNew) {
      isNew = false
      await look(reading, client, closed)
      continue
    }
    const woken = Promise.withResolvers<void>()
    wake = woken.resolve
    const timer = setTimeout(() => {
      // Servers that tell of nothing by themselves tell it then.
      client.noop().then(stir, () => client.close())
    }, reading.lookEveryMs)
    await woken.promise
    clearTimeout(timer)
  }
}

async function look(reading: Reading, client: ImapFlow, closed: Promise<void>): Promise<void> {
  const { position, numbers } = reading
  const { waiting, done } = numbers
  if (!position) return
  const above = (await client.search({ uid: `${position.uid + 1}:*` }, { uid: true })) || []
  // A server answers with its last e-mail where there is none above the number.
  const uids = above.filter((uid) => uid > position.uid && !done.has(uid) && !waiting.has(uid))
  for (const uid of uids.toSorted((left, right) => left - right)) {
    while (waiting.size >= mostWaiting && client.usable) await Promise.race([...waiting.values(), closed])
    if (!client.usable) return
    const mail = await fetchMail(client, uid, position.validity)
    if (!mail) {
      done.add(uid)
      continue
    }
    const given = give(reading, numbers, mail)
    given.catch(() => undefined)
    waiting.set(uid, given)
  }
  settle(reading, numbers)
}

async function give(reading: Reading, numbers: Numbers, mail: RawMail): Promise<void> {
  const read = reading.read(mail)
  read.event.catch(() => undefined)
  // It is looked at while others of the chat wait their turn.
  const chat = await read.chat
  if (chat !== undefined)
    await reading.taking.give({ chat, id: `${mail.validity}/${mail.uid}` }, () => read.event)
  numbers.waiting.delete(mail.uid)
  numbers.done.add(mail.uid)
  settle(reading, numbers, mail.received)
}

/** Moves the position as far as nothing below it waits. */
function settle(reading: Reading, numbers: Numbers, received?: Date): void {
  const { position } = reading
  const { waiting, done } = numbers
  if (!position || numbers !== reading.numbers) return
  const lowest = Math.min(...waiting.keys(), Number.MAX_SAFE_INTEGER)
  const taken = [...done].filter((uid) => uid < lowest)
  if (taken.length === 0) return
  for (const uid of taken) done.delete(uid)
  const at = received && received.toISOString() > position.at ? received.toISOString() : position.at
  reading.position = { ...position, uid: Math.max(position.uid, ...taken), at }
  reading.keeper.changed()
}

/** Its size is looked at first, so that none is too much. Of one that is too large only the head is read. */
async function fetchMail(client: ImapFlow, uid: number, validity: string): Promise<RawMail | undefined> {
  const known = await client.fetchOne(
    String(uid),
    { uid: true, size: true, internalDate: true },
    { uid: true },
  )
  if (!known) return undefined
  const isWhole = (known.size ?? 0) <= largestMail
  const message = await client.fetchOne(String(uid), isWhole ? { source: true } : { headers: true }, {
    uid: true,
  })
  const bytes = message ? (message.source ?? message.headers) : undefined
  if (!bytes) return undefined
  const received = new Date(known.internalDate ?? 0)
  return {
    uid,
    validity,
    bytes,
    isWhole,
    received: Number.isNaN(received.getTime()) ? new Date(0) : received,
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}
