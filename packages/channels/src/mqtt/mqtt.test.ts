import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OutboundMessage } from '../frame/protocol.ts'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, type TestGateway, until as untilWithin } from '../testing/test-gateway.ts'
import { mqttAdapter } from './adapter.ts'
import { MqttSettings } from './manifest.ts'
import { type MqttPlatform, startMqtt } from './testing/platform.ts'

describeChannel({
  adapter: mqttAdapter,
  open: startMqtt,
  without: {
    forwarded: 'A message on MQTT has one author.',
    edits: 'What was published cannot be changed.',
    deletes: 'What was published cannot be taken back.',
    'files-in': 'A question is a text.',
  },
})

describe('MQTT', () => {
  let platform: MqttPlatform
  let gateway: TestGateway
  beforeAll(async () => {
    platform = await startMqtt()
  })
  afterAll(() => platform.close())

  const patienceMs = 20_000
  const until = (what: string, isSo: () => boolean) => untilWithin(what, isSo, patienceMs)

  async function start(settings = {}): Promise<void> {
    const { secrets } = platform
    gateway = createTestGateway({
      adapter: mqttAdapter,
      settings: { ...platform.settings, ...settings },
      secrets,
      patienceMs,
    })
    gateway.start()
    await gateway.connected()
  }

  beforeEach(() => start())
  afterEach(async () => {
    platform.wire.loseAcknowledgements(false)
    await gateway.stop()
    expect(gateway.nonsense).toEqual([])
  })

  const ask = 'home/agent/ask'
  const texts = () => gateway.taken.map((event) => (event.type === 'message' ? event.text : event.type))
  const heard = (text: string) => until(`the question ${text}`, () => texts().includes(text))
  const acknowledgements = () => platform.wire.sent.filter((kind) => kind === 4).length

  function message(text: string, chat = ask): OutboundMessage {
    return { key: `answer/${text}`, chat, thread: null, text, format: 'plain', buttons: [], file: null }
  }

  describe('a question in plain words', () => {
    it('comes from the room of its topic, and nothing shows who wrote it', async () => {
      await platform.publish(ask, 'Is the door open?')
      await platform.publish(`${ask}/kitchen`, 'What is for dinner?')
      await heard('What is for dinner?')
      expect(gateway.taken).toMatchObject([
        { chat: { id: ask, kind: 'private' }, sender: { id: 'ask', proven: false, bot: false } },
        { chat: { id: `${ask}/kitchen` }, sender: { id: 'kitchen', proven: false } },
      ])
    })

    it('is acknowledged only when it was taken', async () => {
      const before = acknowledgements()
      gateway.judge(() => 'hold')
      await platform.publish(ask, 'wait')
      await until('it to be handed over', () => gateway.handed.length > 0)
      // What is sent and confirmed meanwhile shows that an acknowledgement would have come.
      expect(await gateway.send(message('meanwhile'))).toMatchObject({ kind: 'sent' })
      expect(acknowledgements()).toBe(before)
      gateway.judge(() => 'take')
      gateway.release()
      await until('it to be acknowledged', () => acknowledgements() === before + 1)
    })

    it('is acknowledged after those that came before it', async () => {
      const before = acknowledgements()
      gateway.judge((event) => (event.type === 'message' && event.text === 'first' ? 'hold' : 'take'))
      await platform.publish(`${ask}/one`, 'first')
      await platform.publish(`${ask}/two`, 'second')
      await heard('second')
      expect(await gateway.send(message('later'))).toMatchObject({ kind: 'sent' })
      expect(acknowledgements()).toBe(before)
      gateway.judge(() => 'take')
      gateway.release()
      await until('both to be acknowledged', () => acknowledgements() === before + 2)
    })

    it('is the same when its acknowledgement was lost with the connection', async () => {
      platform.wire.loseAcknowledgements(true)
      for (const text of ['one', 'one', 'two']) await platform.publish(ask, text)
      await heard('two')
      platform.wire.loseAcknowledgements(false)
      await platform.disconnect()
      await until('it to come again', () => gateway.handed.length === 6)
      expect(texts()).toEqual(['one', 'one', 'two'])
    })

    it('is the same when its acknowledgement was lost with the process', async () => {
      platform.wire.loseAcknowledgements(true)
      await platform.publish(ask, 'one')
      await heard('one')
      await gateway.die()
      platform.wire.loseAcknowledgements(false)
      gateway.start()
      await until('it to come again', () => gateway.handed.length === 2)
      await platform.publish(ask, 'one')
      await until('another to come', () => gateway.handed.length === 3)
      expect(texts()).toEqual(['one', 'one'])
    })

    it('is another when the broker has forgotten everything', async () => {
      await platform.publish(ask, 'one')
      await heard('one')
      await platform.away()
      await platform.broker.forget()
      await platform.broker.stop()
      await platform.back()
      await gateway.connected()
      await until('it to be back', () => gateway.standings.at(-1)?.type === 'connected')
      await platform.publish(ask, 'one')
      await until('the other', () => gateway.taken.length === 2)
    })

    it('may be published without a promise', async () => {
      await platform.publish(ask, 'lightly', { qos: 0 })
      await platform.publish(ask, 'lightly', { qos: 2 })
      await until('both', () => texts().filter((text) => text === 'lightly').length === 2)
    })

    it('is asked once, although it is retained', async () => {
      await platform.publish(ask, 'forever', { retain: true })
      await heard('forever')
      await gateway.stop()
      await start({ client: 'another' })
      await platform.publish(ask, 'then')
      await heard('then')
      expect(texts()).toEqual(['then'])
      await platform.publish(ask, '', { retain: true })
    })
  })

  describe('what is no question', () => {
    it('is passed over, and the next is heard', async () => {
      await platform.publish(ask, 'begin')
      await heard('begin')
      await platform.publish(ask, '')
      await platform.publish(ask, Uint8Array.of(0xff, 0xfe, 0x00))
      await platform.publish(`${ask}/${'long'.repeat(1_000)}`, 'from far away')
      await platform.publish(`${ask}/too/deep`, 'from below')
      await platform.publish(ask, 'x'.repeat(2_000_000))
      await platform.publish(ask, '{"__proto__":{"text":"x"}}')
      await heard('{"__proto__":{"text":"x"}}')
      expect(texts().slice(texts().indexOf('begin') + 1)).toHaveLength(1)
    })

    it('does not drown a question', async () => {
      const flood = Array.from({ length: 1_500 }, (_, index) =>
        platform.publish(ask, `drop ${index}`, { qos: 0 }),
      )
      await Promise.all(flood)
      await platform.publish(ask, 'still there')
      await heard('still there')
    })
  })

  describe('an answer', () => {
    it('goes where it was asked, and a notice has a place of its own', async () => {
      await gateway.send(message('for all'))
      await gateway.send(message('for the kitchen', `${ask}/kitchen`))
      await gateway.send(message('to know', 'home/agent/notice'))
      const at = (topic: string) => platform.read.filter((one) => one.topic === topic).at(-1)
      await until('the last', () => at('home/agent/notice') !== undefined)
      expect(at('home/agent/answer')).toMatchObject({
        text: '{"id":"answer/for all","text":"for all"}',
        retained: false,
      })
      expect(at('home/agent/answer/kitchen')?.text).toContain('for the kitchen')
      expect(at('home/agent/notice')?.text).toContain('to know')
    })

    it('is refused where the broker does not let us write', async () => {
      expect(await gateway.send(message('no', `${ask}/forbidden`))).toMatchObject({ kind: 'refused' })
    })

    it('is never published outside of the base', async () => {
      const before = platform.read.length
      for (const chat of ['homeassistant/switch/door/set', '$SYS/x', 'home/agent/ask/+', 'home/agent/status'])
        expect(await gateway.send(message('no', chat))).toMatchObject({ kind: 'refused' })
      await gateway.send(message('last'))
      const since = () => platform.read.slice(before)
      await until('the last', () => since().some(({ text }) => text.includes('last')))
      expect(since().filter(({ text }) => text.includes('"no"'))).toEqual([])
    })
  })

  describe('Home Assistant', () => {
    const config = async (component: string, key: string, client = 'countersign-home-agent') => {
      const told = await platform.retained(`homeassistant/${component}/${client}_${key}/config`)
      return told === undefined ? undefined : (JSON.parse(told) as Readonly<Record<string, unknown>>)
    }

    it('finds one device with a way to ask, the last answer, and whether we are there', async () => {
      // Nothing of it waits for us to be connected.
      await until('it to be told', () =>
        platform.read.some(({ topic }) => topic.endsWith('_connection/config')),
      )
      const text = await config('text', 'ask')
      expect(text).toMatchObject({
        command_topic: 'home/agent/ask',
        max: 255,
        availability_topic: 'home/agent/status',
        unique_id: 'countersign-home-agent_ask',
        device: { identifiers: ['countersign-home-agent'], name: 'Countersign' },
        origin: { name: 'Countersign' },
      })
      expect(await config('sensor', 'answer')).toMatchObject({
        state_topic: 'home/agent/answer',
        json_attributes_topic: 'home/agent/answer',
        value_template: "{{ value_json.text | truncate(255, true, '…', 0) }}",
        availability_topic: 'home/agent/status',
      })
      expect(await config('sensor', 'notice')).toMatchObject({ state_topic: 'home/agent/notice' })
      const connection = await config('binary_sensor', 'connection')
      expect(connection).toMatchObject({
        device_class: 'connectivity',
        state_topic: 'home/agent/status',
        payload_on: 'online',
        payload_off: 'offline',
      })
      expect(connection).not.toHaveProperty('availability_topic')
    })

    it('hears that we are there, that we are gone, and that we were lost', async () => {
      const status = () =>
        platform.read.filter(({ topic }) => topic === 'home/agent/status').map(({ text }) => text)
      await until('us to be there', () => status().at(-1) === 'online')
      expect(await platform.retained('home/agent/status')).toBe('online')
      await gateway.stop()
      await until('us to be gone', () => status().at(-1) === 'offline')
      expect(await platform.retained('home/agent/status')).toBe('offline')
      gateway.start()
      await gateway.connected()
      await until('us to be there again', () => status().at(-1) === 'online')
      const before = status().length
      await platform.disconnect()
      await until('us to be lost and found', () => status().slice(before).join() === 'offline,online')
    })

    it('forgets us where it is switched off', async () => {
      await until('it to be told', () =>
        platform.read.some(({ topic }) => topic.endsWith('_connection/config')),
      )
      await gateway.stop()
      const before = platform.read.length
      await start({ homeAssistant: false })
      await until('it to be taken back', () =>
        platform.read.slice(before).some(({ topic }) => topic.endsWith('_connection/config')),
      )
      for (const [component, key] of [
        ['text', 'ask'],
        ['sensor', 'answer'],
        ['sensor', 'notice'],
      ] as const)
        expect(await config(component, key)).toBeUndefined()
    })
  })

  describe('the connection to a broker', () => {
    it('says that another program took it, and is not fought over without end', async () => {
      platform.wire.dismiss(142)
      await until('it to be said', () =>
        gateway.standings.some((one) => one.type === 'disconnected' && one.problem.includes('client id')),
      )
      const second = createTestGateway({ adapter: mqttAdapter, ...platform, patienceMs })
      second.start()
      await until('both to have been there', () => second.standings.length > 1)
      const turns = () => gateway.standings.length + second.standings.length
      expect(turns()).toBeLessThan(20)
      await second.stop()
      await until('the first to be back', () => gateway.standings.at(-1)?.type === 'connected')
    })

    it.each([
      { broker: 'http://broker.test' },
      { broker: 'mqtt://me:secret@broker.test' },
      { broker: 'mqtt://broker.test', base: 'a/#' },
      { broker: 'mqtt://broker.test', base: '/a' },
      { broker: 'mqtt://broker.test', base: '$SYS' },
      { broker: 'mqtt://broker.test', client: 'a b' },
      { broker: 'mqtt://broker.test', qos: 0 },
    ])('is refused with the settings %j', (settings) => {
      expect(MqttSettings.safeParse(settings).success).toBe(false)
    })
  })
})
