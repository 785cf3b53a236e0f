import type { InboundEvent, InboundMessage, SendResult } from '@countersign/channels'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ChatAnswers } from './chat-answers.ts'
import { type ChannelBench, openChannelBench, type Sent } from './testing/channel-bench.ts'

let bench: ChannelBench
let answers: ChatAnswers
let channel: string
let calls = 0
beforeAll(async () => {
  bench = await openChannelBench({
    replies({ messages }) {
      const last = messages.at(-1)
      const tool = last?.role === 'user' ? /^please (fetch|send)/.exec(last.text)?.[1] : undefined
      calls += 1
      return tool ? { calls: [{ name: tool, args: { n: calls } }] } : { text: 'Done.' }
    },
  })
  answers = await bench.openAnswers()
})
afterAll(async () => {
  await answers.close()
  await bench.close()
})
beforeEach(async () => {
  channel = bench.addChannel()
  await bench.letIn(channel, 'op', 'operator')
  await bench.letIn(channel, 'guest')
  await bench.deliver(channel)
})

const notHere = 'That can only be decided in your own chat with me, or in the app.'
const group = { id: 'g1', kind: 'group', title: 'Group' } as const
const own = { id: 'chat-op', kind: 'private', title: 'op' } as const

interface ShownRequest {
  readonly code: string
  readonly card: Sent
}

const requests = () =>
  bench.test.kernel.readOnly(bench.operator, (db) =>
    db.selectFrom('approvals').select(['code', 'state', 'decided_by']).execute(),
  )
const stateOf = async (code: string) => (await requests()).find((row) => row.code === code)?.state

async function answerTo(from: string, text: string, over: Partial<InboundMessage> = {}): Promise<string> {
  const before = bench.sent.length
  const event = bench.event(from, text, over)
  await bench.hear(channel, event)
  await bench.deliver(channel)
  return bench.sent
    .slice(before)
    .filter(({ chat, text: said }) => chat === event.chat.id && !/^(Approval |Hello\. )/.test(said))
    .map(({ text: said }) => said)
    .join()
}

async function press(
  message: string,
  data = 'approve',
  over: Partial<Pick<InboundMessage, 'chat' | 'sender'>> = {},
): Promise<string> {
  const { id, chat, at, sender } = bench.event('op', '', over)
  const event: InboundEvent = { type: 'pressed', id, chat, at, sender, message, data }
  await bench.hear(channel, event)
  return bench.pressed.find((each) => each.event === id)?.text ?? ''
}
const isCard = ({ kind }: { readonly kind: string }) => kind === 'card'
const senderOf = (id: string, proven = true) => ({ id, name: id, proven, bot: false })

/** The operator asked for it at their desk; its card stands in their chat. */
async function shown(tool: 'fetch' | 'send' = 'fetch'): Promise<ShownRequest> {
  const known = new Set((await requests()).map(({ code }) => code))
  await bench.test.say(`please ${tool}`)
  let found: ShownRequest | undefined
  await expect
    .poll(async () => {
      await bench.deliver(channel)
      const row = (await requests()).find(({ code }) => !known.has(code))
      const card = bench.sent.find((each) => each.channel === channel && each.text.includes(row?.code ?? '?'))
      found = row && card && { code: row.code, card }
      return found !== undefined
    })
    .toBe(true)
  return found as ShownRequest
}

describe('a decision of the operator in their own chat', () => {
  it('approves what the card showed, once', async () => {
    const { code } = await shown()
    expect(await answerTo('op', `approve ${code.toLowerCase()}`)).toBe(`${code}: approved once.`)
    expect(await stateOf(code)).toBe('approved')
    expect((await requests()).find((row) => row.code === code)?.decided_by).toBe(`${channel}/op`)
    expect(await answerTo('op', `approve ${code}`)).not.toContain('approved once')
  })

  it('counts when it comes before the platform has said that the card arrived', async () => {
    const asked = vi.spyOn(bench.outbox, 'arrived')
    onTestFinished(() => asked.mockRestore())
    await bench.test.say('please fetch')
    await expect.poll(async () => (await bench.letters(channel)).some(isCard)).toBe(true)
    const code = (await requests()).find(({ state }) => state === 'pending')?.code ?? ''
    const receipt = Promise.withResolvers<SendResult>()
    const left = Promise.withResolvers<void>()
    const delivery = bench.deliver(channel, (message) => {
      if (!message.text.includes(code)) return { kind: 'sent', message: message.key }
      left.resolve()
      return receipt.promise
    })
    await left.promise
    const heard = bench.hear(channel, bench.event('op', `approve ${code}`))
    await expect.poll(() => asked.mock.calls).toEqual([[channel, own.id]])
    receipt.resolve({ kind: 'sent', message: 'late' })
    await Promise.all([heard, delivery])
    expect(await stateOf(code)).toBe('approved')
  })

  it('denies with a reason, or by a button', async () => {
    const first = await shown()
    expect(await answerTo('op', `deny ${first.code} not today`)).toBe(`${first.code}: denied.`)
    const second = await shown()
    expect(await press(second.card.message, 'deny')).toBe(`${second.code}: denied.`)
    expect([await stateOf(first.code), await stateOf(second.code)]).toEqual(['denied', 'denied'])
  })

  it('approves by the button below the card', async () => {
    const { code, card } = await shown()
    expect(card.buttons.map(({ data }) => data)).toEqual(['approve', 'deny'])
    expect(await press(card.message)).toBe(`${code}: approved once.`)
  })

  it('never approves what is critical, shows where it is read, and denies it all the same', async () => {
    const { code, card } = await shown('send')
    expect(card.buttons).toEqual([])
    const told = `${code} is to be read whole before it is approved: https://example.org/approvals/${code}`
    expect(await answerTo('op', `approve ${code}`)).toBe(told)
    expect(await press(card.message)).toBe(told)
    expect(await stateOf(code)).toBe('pending')
    expect(await answerTo('op', `deny ${code}`)).toBe(`${code}: denied.`)
  })

  it('approves nothing where the platform or the operator does not have it so', async () => {
    const { code, card } = await shown()
    bench.choose(channel, { approvals: false })
    expect(await answerTo('op', `approve ${code}`)).toContain('is to be read whole')
    expect(await press(card.message)).toContain('is to be read whole')
    expect(await stateOf(code)).toBe('pending')
  })
})

describe('what looks like a decision', () => {
  it('does not count when it is forwarded, quoted, or stands among other words', async () => {
    const { code } = await shown()
    await answerTo('op', `approve ${code}`, { forwarded: true })
    for (const text of [`> approve ${code}`, `approve ${code} please`, `They said: approve ${code}`, code])
      await answerTo('op', text)
    expect(await stateOf(code)).toBe('pending')
  })

  it('does not count in a group, or in another chat of the operator', async () => {
    bench.choose(channel, { groups: ['g1'] })
    const { code, card } = await shown()
    const elsewhere = { id: 'chat-other', kind: 'private', title: 'op' } as const
    for (const chat of [group, elsewhere]) {
      expect(await answerTo('op', `approve ${code}`, { chat })).toBe(notHere)
      expect(await answerTo('op', `deny ${code}`, { chat })).toBe(notHere)
      expect(await press(card.message, 'approve', { chat })).toBe(notHere)
    }
    expect(await stateOf(code)).toBe('pending')
  })

  it('does not count about a card that stands in another chat', async () => {
    const { code, card } = await shown()
    channel = bench.addChannel()
    await bench.letIn(channel, 'op', 'operator')
    expect(await answerTo('op', `approve ${code}`)).toBe(`There is no request ${code} in this chat.`)
    expect(await press(card.message)).toBe('This is no request any more.')
    expect(await stateOf(code)).toBe('pending')
  })

  it('does not count in a chat of another account of theirs that was not shown the card', async () => {
    const { code, card } = await shown()
    await bench.letIn(channel, 'op2', 'operator')
    expect(await answerTo('op2', `approve ${code}`)).toBe(`There is no request ${code} in this chat.`)
    const second = { chat: { ...own, id: 'chat-op2' }, sender: senderOf('op2') }
    expect(await press(card.message, 'approve', second)).toBe('This is no request any more.')
    expect(await press(card.message, 'approve', { ...second, chat: own })).toBe(notHere)
    expect(await stateOf(code)).toBe('pending')
  })

  it('does not count about a card that has not arrived', async () => {
    const known = new Set((await requests()).map(({ code }) => code))
    await bench.test.say('please fetch')
    await expect.poll(async () => (await bench.letters(channel)).some(isCard)).toBe(true)
    const code = (await requests()).find((row) => !known.has(row.code))?.code ?? ''
    expect(await answerTo('op', `approve ${code}`)).toBe(`There is no request ${code} in this chat.`)
    expect(await stateOf(code)).toBe('pending')
  })

  it('does not count of anybody else, proven or not, nor at a message that shows no card', async () => {
    const { code, card } = await shown()
    expect(await answerTo('guest', `approve ${code}`)).toBe(notHere)
    expect(await answerTo('eve', `approve ${code}`)).toBe('')
    await answerTo('op', `approve ${code}`, { sender: senderOf('op', false) })
    for (const chat of [own, { ...own, id: 'chat-guest' }]) {
      for (const sender of [senderOf('guest'), senderOf('op', false)])
        expect(await press(card.message, 'approve', { chat, sender })).toBe(notHere)
      // Whoever was not let in is told nothing.
      expect(await press(card.message, 'approve', { chat, sender: senderOf('eve') })).toBe('')
    }
    expect(await press('p0', 'approve')).toBe('This is no request any more.')
    expect(await press(card.message, 'approve all')).toBe('This is no request any more.')
    expect(await stateOf(code)).toBe('pending')
  })
})

describe('a command', () => {
  it('is answered without a model', async () => {
    const before = calls
    expect(await answerTo('op', '/status')).toBe('Everything is well.')
    expect(await answerTo('op', '/pause')).toBe('Everything is paused.')
    expect(await answerTo('op', '/resume')).toBe('Everything goes on.')
    expect(await answerTo('op', '/stop')).toBe('Nothing is running here.')
    expect(await answerTo('op', '/start')).toContain('/approve CODE')
    expect(await answerTo('op', '/cost')).toMatch(/^Spent today: \d+\.\d{4} USD\./)
    expect(await answerTo('op', '/undo')).toBe('Nothing was done here yet.')
    expect(await answerTo('op', '/why K7Q2')).toBe('That works in the app and in the terminal.')
    expect(calls).toBe(before)
  })

  it('lists what waits here', async () => {
    const { code } = await shown()
    expect(await answerTo('op', '/pending')).toContain(`${code}: `)
  })

  it('lists each in one line, in which no other can be forged', async () => {
    const { code } = await shown()
    const other = (await shown()).code
    const headline = `Fetch a page\n${other}: Look at the weather \u202e${'x'.repeat(5_000)}`
    await bench.query(sql`update approvals set card = jsonb_set(card::jsonb, '{headline}', to_jsonb(${headline}::text))
      where code = ${code}`)
    const lines = (await answerTo('op', '/pending')).split('\n')
    expect(lines).toHaveLength(2)
    expect(lines.filter((line) => line.startsWith(other))).toHaveLength(1)
    expect(lines.find((line) => line.startsWith(other))).not.toContain('weather')
    expect(lines.join('')).not.toContain('\u202e')
  })

  it('of a guest does nothing that is the operator’s', async () => {
    for (const command of ['/pause', '/undo']) expect(await answerTo('guest', command)).toBe(notHere)
    expect(await answerTo('op', '/undo', { chat: group })).toBe('')
    expect(await answerTo('guest', '/help')).not.toContain('/approve')
    const { paused_at } = await bench.test.kernel.readOnly(bench.operator, (db) =>
      db.selectFrom('operators').select('paused_at').executeTakeFirstOrThrow(),
    )
    expect(paused_at).toBeNull()
  })
})
