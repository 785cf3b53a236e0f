import type { ChatPerson } from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { createRecordToolRunner, type RecordToolRunner } from '../testing/record-tool-runner.ts'
import { listChats } from './list-chats.ts'
import { sendChatMessage } from './send-chat-message.ts'

let test: RecordToolRunner
let people: ChatPerson[]
let sent: (readonly [channel: string, chat: string, text: string])[]
beforeEach(() => {
  test = createRecordToolRunner()
  people = [
    { channel: 'signal', peer: 'abc', name: 'Ana', role: 'trusted', chat: 'chat-1' },
    { channel: 'telegram', peer: '7', name: 'Ana', role: 'guest', chat: '7' },
  ]
  sent = []
  const chats = {
    people: () => Promise.resolve(people),
    send: ({ channel, chat }: Pick<ChatPerson, 'channel' | 'chat'>, text: string) => {
      sent.push([channel, chat, text])
      return Promise.resolve('dl_1')
    },
  }
  Object.assign(test.assistant, { chats })
})

const late = { to: 'signal/abc', text: 'I am late.' }

describe('list_chats', () => {
  it('names everybody who was let in by what send_chat_message takes', async () => {
    const { result } = await test.use(listChats, {})
    expect(result.text).toContain('{"to":"signal/abc","name":"Ana","role":"trusted"}')
    expect(result.text).toContain('{"to":"telegram/7","name":"Ana","role":"guest"}')
    expect((await test.use(listChats, { channel: 'signal' })).result.text).not.toContain('telegram')
  })

  it('takes what people call themselves for their own words', () => {
    expect(listChats.output).toMatchObject({ integrity: 'untrusted' })
  })

  it('says what to do where there is nobody', async () => {
    people = []
    expect((await test.use(listChats, {})).result.text).toContain('lets people in under Channels')
  })
})

describe('send_chat_message', () => {
  it('shows who gets it and sends it to the chat in which they were let in', async () => {
    const { found, result } = await test.use(sendChatMessage, late)
    expect(found.resources).toEqual([{ type: 'peer', channel: 'signal', account: 'chat-1', peer: 'abc' }])
    expect(found.effects).toMatchObject([
      { verb: 'send', object: 'signal/abc, who goes by "Ana"', outward: true },
    ])
    expect(sent).toEqual([['signal', 'chat-1', 'I am late.']])
    expect(result.text).toContain('dl_1')
  })

  it('writes to nobody by the name that they call themselves, and to nobody unknown', async () => {
    for (const to of ['Ana', 'signal/Ana', 'telegram/abc', 'signal/', 'signal/chat-1'])
      expect(await test.resolve(sendChatMessage, { ...late, to })).toMatchObject({
        kind: 'invalid',
        reason: expect.stringContaining('list_chats'),
      })
  })

  it('sends nothing to whoever was put out after the card', async () => {
    const before = await test.resolve(sendChatMessage, late)
    expect(before.kind).toBe('found')
    people = []
    if (sendChatMessage.runs !== 'gateway') throw new Error('it runs elsewhere')
    const result = await sendChatMessage.run(late, test.context)
    expect(result).toMatchObject({ ok: false })
    expect(sent).toEqual([])
  })
})
