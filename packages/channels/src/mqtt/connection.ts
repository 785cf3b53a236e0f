/**
 * Owns one connection to a broker. It is not made again by itself, so that nothing that was acknowledged or published on
 * it reaches another one. What comes in is acknowledged in order, each once it was taken; meanwhile others come in and go
 * out. The library would wait with everything until one is taken, so that the acknowledgements are written here.
 */
import mqtt, { type IPublishPacket, type MqttClient } from 'mqtt'
import { RejectedError } from '../frame/adapter.ts'
import type { SendResult } from '../frame/protocol.ts'
import { type Delivery, mostUnderWay } from './deliveries.ts'

export interface ConnectionParts {
  readonly broker: string
  readonly client: string
  readonly username: string | undefined
  readonly password: string | undefined
  readonly ca: string | undefined
  /** Published, and retained, when we are gone. */
  readonly will: { readonly topic: string; readonly payload: string }
  readonly subscriptions: readonly string[]
  /** The broker does not know us any more. */
  readonly newSession: () => void
  /** Resolves when it is taken; rejects when it never will be here. */
  readonly hear: (delivery: Delivery) => Promise<void>
  readonly signal: AbortSignal
}

export interface MqttConnection {
  publish(topic: string, payload: string, retain: boolean): Promise<Published>
  /** Why it is over. */
  readonly closed: Promise<string>
  close(): Promise<void>
}

export type Published = { readonly kind: 'sent' } | Exclude<SendResult, { kind: 'sent' }>

const connectMs = 15_000
const answerMs = 30_000
const endMs = 1_000
const quotaMs = 5_000
const keepAliveSeconds = 30
/** How long the broker keeps what is asked while we are away. */
const sessionSeconds = 30 * 24 * 60 * 60
const largestPacket = 1_000_000
const mostUnacknowledged = 1_000

/** Throws `RejectedError` for what a person must change. */
export async function connectMqtt(parts: ConnectionParts): Promise<MqttConnection> {
  parts.signal.throwIfAborted()
  const { client, closed, opened } = dial(parts)
  const abandon = () => void client.end(true)
  parts.signal.addEventListener('abort', abandon)
  try {
    const { sessionPresent } = await opened
    if (!sessionPresent) parts.newSession()
    await subscribe(client, parts.subscriptions, closed)
  } catch (error) {
    client.end(true)
    await closed
    throw rejectionOf(error)
  } finally {
    parts.signal.removeEventListener('abort', abandon)
  }
  return {
    closed,
    publish: (topic, payload, retain) => publish(client, closed, { topic, payload, retain }),
    async close() {
      // With the will, so that everybody hears that we are gone.
      client.end(false, { reasonCode: 4 })
      const timer = setTimeout(() => client.stream.destroy(), endMs)
      await closed
      clearTimeout(timer)
    },
  }
}

interface Dialed {
  readonly client: MqttClient
  readonly opened: Promise<{ readonly sessionPresent: boolean }>
  readonly closed: Promise<string>
}

function dial(parts: ConnectionParts): Dialed {
  const { broker, username, password, ca } = parts
  const opened = Promise.withResolvers<{ readonly sessionPresent: boolean }>()
  const closed = Promise.withResolvers<string>()
  let problem = 'The broker closed the connection.'
  const client = mqtt.connect(broker, {
    manualConnect: true,
    reconnectPeriod: 0,
    connectTimeout: connectMs,
    keepalive: keepAliveSeconds,
    protocolVersion: 5,
    clientId: parts.client,
    clean: false,
    will: { ...parts.will, payload: Buffer.from(parts.will.payload), qos: 1, retain: true },
    properties: {
      sessionExpiryInterval: sessionSeconds,
      receiveMaximum: mostUnderWay,
      maximumPacketSize: largestPacket,
    },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(ca === undefined ? {} : { ca }),
  })
  client.on('connect', ({ sessionPresent }) => opened.resolve({ sessionPresent }))
  client.on('disconnect', ({ reasonCode = 0 }) => {
    problem =
      reasonCode === sessionTakenOver
        ? `Another program uses the client id ${parts.client}.`
        : `The broker closed the connection (${reasonCode}).`
  })
  client.on('error', (error) => {
    problem = error.message || problem
    opened.reject(error)
  })
  client.on('close', () => {
    opened.reject(new Error(problem))
    closed.resolve(problem)
  })
  opened.promise.catch(() => undefined)
  listen(client, closed.promise, parts.hear)
  client.connect()
  return { client, opened: opened.promise, closed: closed.promise }
}

const sessionTakenOver = 142

function listen(client: MqttClient, closed: Promise<string>, hear: ConnectionParts['hear']): void {
  const unacknowledged: { readonly packet: number; isTaken: boolean }[] = []
  let unconfirmed = 0
  let isOpen = true
  void closed.then(() => {
    isOpen = false
  })

  /** MQTT wants them in the order in which the messages came. */
  function acknowledge(): void {
    while (isOpen && unacknowledged[0]?.isTaken) {
      const { packet } = unacknowledged[0]
      unacknowledged.shift()
      client.stream.write(Buffer.from([0x40, 2, packet >> 8, packet & 0xff]))
    }
  }

  async function take(published: IPublishPacket, packet: number | null): Promise<void> {
    const { topic, payload, dup, retain } = published
    // What is retained is told to everybody who comes: it is a state and not a question.
    if (!retain) await hear({ topic, payload: Buffer.from(payload), packet, isAgain: dup })
  }

  client.handleMessage = (packet, done) => {
    const { messageId } = packet
    if (packet.qos === 0 || messageId === undefined) {
      // Nobody was promised that it arrives; a flood of them is not kept.
      if (unconfirmed < mostUnacknowledged) {
        unconfirmed += 1
        void take(packet, null)
          .catch(() => undefined)
          .finally(() => {
            unconfirmed -= 1
          })
      }
      return done()
    }
    const one = { packet: messageId, isTaken: false }
    unacknowledged.push(one)
    take(packet, messageId).then(
      () => {
        one.isTaken = true
        acknowledge()
      },
      // It was not taken, and the channel ends: the broker keeps it.
      () => undefined,
    )
    done(new Error('It is acknowledged once it is taken.'))
  }
}

async function subscribe(
  client: MqttClient,
  topics: readonly string[],
  closed: Promise<string>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  void closed.then((problem) => reject(new Error(problem)))
  // Without what is retained there.
  client.subscribe([...topics], { qos: 1, rh: 2 }, (error) => (error ? reject(error) : resolve()))
  await promise
}

interface Publication {
  readonly topic: string
  readonly payload: string
  readonly retain: boolean
}

function publish(client: MqttClient, closed: Promise<string>, publication: Publication): Promise<Published> {
  if (!client.connected) return Promise.resolve(notConnected)
  const { topic, payload, retain } = publication
  const { maximumPacketSize } = client.serverProperties ?? {}
  if (maximumPacketSize && Buffer.byteLength(topic + payload) + 20 > maximumPacketSize)
    return Promise.resolve({ kind: 'refused', problem: 'The broker takes no message of this size.' })
  const { promise, resolve } = Promise.withResolvers<Published>()
  const timer = setTimeout(
    () => resolve({ kind: 'unknown', problem: 'The broker did not say that it has it.' }),
    answerMs,
  )
  void closed.then((problem) => resolve({ kind: 'unknown', problem }))
  client.publish(topic, payload, { qos: 1, retain }, (error) =>
    resolve(error ? failureOf(error) : { kind: 'sent' }),
  )
  return promise.finally(() => clearTimeout(timer))
}

export const notConnected = { kind: 'later', afterMs: null, problem: 'The broker is not connected.' } as const

function failureOf(error: Error): Published {
  const code = codeOf(error)
  if (code === 151) return { kind: 'later', afterMs: quotaMs, problem: 'The broker has no room for it now.' }
  if (code >= 128) return { kind: 'refused', problem: `The broker refused it (${code}): ${error.message}` }
  return { kind: 'unknown', problem: error.message }
}

const rejections: Readonly<Record<number, string>> = {
  1: 'The broker does not speak MQTT 5.',
  4: 'The broker does not accept the user or the password.',
  5: 'The broker does not let this user in.',
  132: 'The broker does not speak MQTT 5.',
  133: 'The broker does not accept the client id.',
  134: 'The broker does not accept the user or the password.',
  135: 'The broker does not let this user in, or not read the questions.',
  138: 'The broker has banned this client.',
  140: 'The broker wants another way to log in.',
}

function rejectionOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const told = rejections[codeOf(error)]
  return told === undefined ? error : new RejectedError(told)
}

function codeOf(error: Error): number {
  return 'code' in error && typeof error.code === 'number' ? error.code : 0
}
