/** Owns MQTT as the tests see it: a real broker, people who publish questions, and one who reads everything. */
import { randomUUID } from 'node:crypto'
import { connectAsync, type IClientPublishOptions } from 'mqtt'
import type { Person, Shown, TestChat, TestPlatform } from '../../testing/platform.ts'
import { type Broker, startBroker } from './broker.ts'
import { openWire, type Wire } from './wire.ts'

export interface Read {
  readonly topic: string
  readonly text: string
  readonly retained: boolean
}

export interface MqttPlatform extends TestPlatform {
  readonly broker: Broker
  readonly wire: Wire
  /** Everything that was published, in order. */
  readonly read: readonly Read[]
  /** What is retained under a topic, told to somebody who only comes now. */
  retained(topic: string): Promise<string | undefined>
  publish(topic: string, payload: string | Uint8Array, options?: IClientPublishOptions): Promise<void>
}

const password = 'correct horse battery'
const chats = { ana: 'home/agent/ask/ana', ben: 'home/agent/ask/ben' } as const

export async function startMqtt(): Promise<MqttPlatform> {
  const broker = await startBroker([
    {
      name: 'countersign',
      password,
      may: [
        'read home/agent/ask/#',
        'write home/agent/#',
        'deny home/agent/answer/forbidden',
        'write homeassistant/#',
      ],
    },
    { name: 'house', password, may: ['readwrite #'] },
  ])
  const wire = await openWire(broker.port, (topic) => topic.startsWith('home/agent/answer'))
  const read: Read[] = []
  const said: (readonly [string, string])[] = []

  async function join() {
    const one = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
      username: 'house',
      password,
      protocolVersion: 5,
      reconnectPeriod: 0,
    })
    one.on('error', () => undefined)
    return one
  }
  async function joinAndRead() {
    const one = await join()
    one.on('message', (topic, payload, { retain }) =>
      read.push({ topic, text: payload.toString(), retained: retain }),
    )
    await one.subscribeAsync('#', { qos: 1, rap: true })
    return one
  }
  let house = await joinAndRead()

  async function publish(topic: string, payload: string | Uint8Array, options: IClientPublishOptions = {}) {
    await house.publishAsync(topic, typeof payload === 'string' ? payload : Buffer.from(payload), {
      qos: 1,
      ...options,
    })
  }

  const chat = (id: string): TestChat => ({ id, kind: 'private' })
  const person = (name: string): Person => ({ id: name, name })
  return {
    broker,
    wire,
    read,
    publish,
    settings: { broker: `mqtt://127.0.0.1:${wire.port}`, username: 'countersign', base: 'home/agent' },
    secrets: { password },
    people: { ana: person('ana'), ben: person('ben') },
    chats: { ana: chat(chats.ana), ben: chat(chats.ben), group: null },
    nowhere: 'home/elsewhere',
    joins: (number) => ({ who: person(`person-${number}`), chat: chat(`home/agent/ask/person-${number}`) }),
    async says(who, { id: topic }, text) {
      const id = randomUUID()
      const payload = JSON.stringify({ id, text, from: who.id, at: new Date().toISOString() })
      said.push([topic, payload])
      await publish(topic, payload)
      return id
    },
    async repeats() {
      for (const [topic, payload] of said) await publish(topic, payload)
    },
    shown({ id }) {
      const topic = id.replace('/ask', '/answer')
      return read.filter((one) => one.topic === topic).map(({ text }) => shownAs(text))
    },
    async retained(topic) {
      const late = await join()
      let found: string | undefined
      late.on('message', (_, payload) => {
        found = payload.toString()
      })
      await late.subscribeAsync(topic)
      // What is retained comes before the answer to what is published now.
      await late.publishAsync('late/here', '', { qos: 1 })
      await late.endAsync(true)
      return found
    },
    fail: wire.fail,
    disconnect: async () => wire.cut(),
    async away() {
      await wire.close()
      await house.endAsync(true)
      await broker.stop()
    },
    async back() {
      await broker.start()
      house = await joinAndRead()
      await wire.open()
    },
    async close() {
      await house.endAsync(true)
      await wire.close()
      await broker.close()
    },
  }
}

function shownAs(payload: string): Shown {
  const { id, text } = JSON.parse(payload) as { readonly id: string; readonly text: string }
  return { id, text, edited: false, buttons: [], file: null }
}
