/**
 * Owns the way to people and things by MQTT. The session outlives us: what is asked while we are away waits at the broker,
 * and every question is acknowledged only when it is taken.
 */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelAdapter, type ChannelContext, RejectedError } from '../frame/adapter.ts'
import type { InboundMessage } from '../frame/events.ts'
import { plainTextOf } from '../frame/plain-text.ts'
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import { createTaking, pauseAfter } from '../frame/take-in-turn.ts'
import { connectMqtt, type MqttConnection, notConnected } from './connection.ts'
import { createDeliveries, type Delivery } from './deliveries.ts'
import { announcements } from './discovery.ts'
import { type MqttSettings, mqttManifest } from './manifest.ts'
import { readQuestion } from './question.ts'
import { topicsBelow } from './topics.ts'

const firstPauseMs = 250
const longestPauseMs = 60_000
/** After a connection that held so long the next pause is short. Two who take it from each other do not reach it. */
const calmMs = 1_000

export const mqttAdapter: ChannelAdapter<MqttSettings> = {
  manifest: mqttManifest,
  async open(context) {
    const topics = topicsBelow(context.settings.base)
    const closing = new AbortController()
    const signal = AbortSignal.any([context.signal, closing.signal])
    const connect = broker({ ...context, signal })
    let current: MqttConnection | undefined

    async function stay(connection: MqttConnection): Promise<string> {
      current = connection
      context.connected(connect.account)
      try {
        return await connection.closed
      } finally {
        current = undefined
      }
    }

    /** The first connection, or why there is none yet, was seen by whoever opens. */
    async function go(first: MqttConnection | Error): Promise<void> {
      let next: MqttConnection | Error = first
      for (let failures = 0; !signal.aborted; failures += 1) {
        const since = performance.now()
        const problem = next instanceof Error ? next.message : await stay(next)
        if (signal.aborted) return
        context.disconnected(problem)
        if (performance.now() - since > calmMs) failures = 0
        await sleep(pauseAfter(failures, firstPauseMs, longestPauseMs), undefined, { signal }).catch(
          () => undefined,
        )
        next = await connect.once().catch(errorOf)
      }
      if (!(next instanceof Error)) await next.close()
    }

    const first = await connect.once().catch(errorOf)
    if (first instanceof RejectedError) throw first
    const gone = go(first)
    return {
      async send(message) {
        const topic = topics.placeOf(message.chat)
        if (topic === undefined) return { kind: 'refused', problem: 'There is no such topic here.' }
        return current ? say(current, topic, message) : notConnected
      },
      async close() {
        closing.abort()
        await current?.close()
        await gone
      },
    }
  },
}

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

async function say(connection: MqttConnection, topic: string, message: OutboundMessage): Promise<SendResult> {
  const payload = JSON.stringify({ id: message.key, text: plainTextOf(message) })
  const result = await connection.publish(topic, payload, false)
  return result.kind === 'sent' ? { kind: 'sent', message: message.key } : result
}

function broker(context: ChannelContext<MqttSettings>) {
  const { settings, secrets, signal } = context
  const topics = topicsBelow(settings.base)
  const client = settings.client ?? `countersign-${settings.base.replaceAll('/', '-')}`
  const ears = createEars(context)
  return {
    account: {
      id: client,
      name: `${settings.username === undefined ? '' : `${settings.username} at `}${new URL(settings.broker).host}`,
    },
    async once(): Promise<MqttConnection> {
      const connection = await connectMqtt({
        broker: settings.broker,
        client,
        username: settings.username,
        password: secrets['password'],
        ca: settings.ca,
        will: { topic: topics.status, payload: 'offline' },
        subscriptions: [topics.ask, topics.rooms],
        newSession: ears.forget,
        hear: ears.hear,
        signal,
      })
      // A broker that does not let us say so has nobody who wants to know.
      void connection.publish(topics.status, 'online', true)
      for (const { topic, payload } of announcements(settings, topics, client))
        void connection.publish(topic, payload, true)
      return connection
    },
  }
}

/** What is heard, in whatever connection. */
function createEars(context: ChannelContext<MqttSettings>) {
  const { settings, state, signal } = context
  const topics = topicsBelow(settings.base)
  const taking = createTaking(context)
  const deliveries = createDeliveries({
    state,
    keep: context.keep,
    clock: () => new Date(),
    uuid: randomUUID,
  })
  let turn: Promise<unknown> = Promise.resolve()

  async function eventOf(delivery: Delivery): Promise<InboundMessage | undefined> {
    const { topic } = delivery
    const room = topics.roomOf(topic)
    const question = readQuestion(delivery.payload)
    if (room === undefined || !question) return undefined
    const { text, from } = question
    const sender = from ?? (room || 'ask')
    const known =
      question.id !== null && question.at !== null
        ? { id: '', at: question.at }
        : await kept(() => deliveries.knownAs(delivery))
    return {
      type: 'message',
      id: question.id === null ? known.id : givenId(sender, question.id),
      chat: { id: topic, kind: 'private', title: topic },
      at: question.at ?? known.at,
      sender: { id: sender, name: sender, proven: false, bot: false },
      text,
      thread: null,
      addressed: true,
      forwarded: false,
      files: [],
    }
  }

  /** Until the gateway could keep it. */
  async function kept<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      signal.throwIfAborted()
      try {
        return await work()
      } catch {
        await sleep(pauseAfter(tries, firstPauseMs, longestPauseMs), undefined, { signal })
      }
    }
  }

  return {
    forget: deliveries.forget,
    async hear(delivery: Delivery): Promise<void> {
      const composed = turn.then(() => eventOf(delivery))
      turn = composed.catch(() => undefined)
      const event = await composed
      if (event) await taking.give({ chat: event.chat.id, id: event.id }, () => Promise.resolve(event))
    },
  }
}

/** Two who count their questions from one do not mean the same. */
const givenId = (sender: string, id: string): string =>
  `given-${createHash('sha256')
    .update(JSON.stringify([sender, id]))
    .digest('base64url')}`
