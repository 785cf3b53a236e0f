import type { InboundMessage } from '@countersign/channels'
import { usualRetention } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliveriesIn } from './channel-views.ts'
import type { TakenFiles } from './chat-files.ts'
import { createIntake } from './intake.ts'
import { oldMessages } from './old-messages.ts'
import { changePeer } from './peers.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

const noFiles: TakenFiles = { attachments: [], spoken: [] }

let bench: ChannelBench
let channel: string
beforeAll(async () => {
  bench = await openChannelBench()
})
afterAll(() => bench.close())
beforeEach(() => {
  channel = bench.addChannel()
  bench.problems.splice(0)
})

const states = async () => (await bench.inbox(channel)).map(({ state }) => state)
const texts = async () => (await bench.inputs(channel)).map(({ text }) => text)
const atWork = async () => {
  const { rows } = await bench.query(sql<{ id: string }>`select id from runs where state <> 'stopped'`)
  return rows.length
}
const desk = { kind: 'operator', id: 'desk' } as const
const change = (peer: string, kind: 'block' | 'remove') =>
  bench.records.change(bench.operator, (tx) => changePeer(tx, { channel, peer, change: { kind } }, desk))

describe('somebody whom nobody let in', () => {
  it('is told one line, then nothing, and no run hears of them', async () => {
    await bench.say(channel, 'eve', 'Hello?')
    await bench.deliver(channel)
    const [line] = bench.sentTo(channel, 'chat-eve')
    const code = await bench.codeOf(channel, 'eve')
    expect(line).toContain(`${code.slice(0, 4)}-${code.slice(4)}`)
    for (const text of [code, `approve ${code}`, '/status', '/new', 'Hello!!', 'deny ABCD'])
      await bench.say(channel, 'eve', text)
    await bench.deliver(channel)
    expect(bench.sentTo(channel, 'chat-eve')).toHaveLength(1)
    expect(await states()).toEqual(Array.from({ length: 7 }, () => 'left'))
    expect(await texts()).toEqual([])
  })

  it('is told once more after a day, with another code', async () => {
    await bench.say(channel, 'eve', 'Hello?')
    const first = await bench.codeOf(channel, 'eve')
    bench.pass(23 * 60 * 60_000)
    await bench.say(channel, 'eve', 'Hello?')
    expect(await bench.codeOf(channel, 'eve')).toBe(first)
    bench.pass(60 * 60_000 + 1)
    await bench.say(channel, 'eve', 'Hello?')
    expect(await bench.codeOf(channel, 'eve')).not.toBe(first)
    expect(await bench.letters(channel)).toHaveLength(2)
  })

  it('is told nothing in a group, as a program, by a change, or where nothing shows who they are', async () => {
    const group = { id: 'g1', kind: 'group', title: 'Group' } as const
    bench.choose(channel, { groups: ['g1'] })
    const event = bench.event('eve', 'Hello?')
    await bench.hear(
      channel,
      { ...event, id: 'a', chat: group },
      { ...event, id: 'b', sender: { ...event.sender, bot: true } },
      { ...event, id: 'c', sender: { ...event.sender, proven: false } },
      {
        type: 'edited',
        id: 'd',
        chat: event.chat,
        at: event.at,
        sender: event.sender,
        message: 'a',
        text: 'x',
      },
      { type: 'deleted', id: 'e', chat: event.chat, at: event.at, message: 'a' },
    )
    expect(await states()).toEqual(Array.from({ length: 5 }, () => 'left'))
    expect(await bench.letters(channel)).toEqual([])
    expect(await bench.peer(channel, 'eve')).toBeUndefined()
  })

  it('leaves no words behind', async () => {
    await bench.say(channel, 'eve', 'my address is 5 High Street')
    expect(JSON.stringify(await bench.inbox(channel))).not.toContain('High Street')
    await bench.letIn(channel, 'ann')
    await bench.say(channel, 'ann', 'something of the house', {
      chat: { id: 'g2', kind: 'group', title: 'Not on the list' },
    })
    expect(JSON.stringify(await bench.inbox(channel))).not.toContain('of the house')
  })

  it('is told it where the platform never shows who writes', async () => {
    channel = bench.addChannel({ manifest: { proves: 'nothing' } })
    const sender = { id: 'eve', name: 'Eve', proven: false, bot: false }
    await bench.say(channel, 'eve', 'Hello?', { sender })
    expect(await bench.letters(channel)).toMatchObject([{ kind: 'pairing', chat: 'chat-eve' }])
  })
})

describe('a message of somebody who was let in', () => {
  it('is admitted once, however often it is told', async () => {
    await bench.letIn(channel, 'ann')
    const event = bench.event('ann', 'What is the time?')
    await bench.hear(channel, event, event)
    await bench.hear(channel, event)
    await bench.hear(channel, { ...event, text: 'other words under the same id' })
    expect(await texts()).toEqual(['What is the time?'])
  })

  it('says who asks, what the words are worth, and who answers', async () => {
    for (const role of ['operator', 'trusted', 'guest'] as const) await bench.letIn(channel, role, role)
    await bench.say(channel, 'operator', 'mine')
    await bench.say(channel, 'operator', 'theirs', { forwarded: true })
    await bench.say(channel, 'trusted', 'a friend')
    await bench.say(channel, 'trusted', 'passed on', { forwarded: true })
    await bench.say(channel, 'guest', 'a guest')
    const via = (peer: string) => ({ channel, chat: `chat-${peer}` })
    expect(await bench.inputs(channel)).toMatchObject([
      { requester: { kind: 'operator', via: via('operator') }, label: null, work: null },
      { requester: { kind: 'operator' }, label: { integrity: 'untrusted' } },
      { requester: { kind: 'peer', id: `${channel}/trusted` }, label: { integrity: 'paired' } },
      { requester: { kind: 'peer' }, label: { integrity: 'untrusted' } },
      { requester: { kind: 'peer', id: `${channel}/guest` }, label: { integrity: 'untrusted' } },
    ])
    const works = (await bench.inputs(channel)).map(({ work }) => work?.agent)
    expect(works[0]).toBeUndefined()
    expect(new Set(works.slice(2))).toEqual(new Set(['reception']))
  })

  it('is left when they are blocked or removed, and nothing is said to who is blocked', async () => {
    await bench.letIn(channel, 'ann')
    await change('ann', 'block')
    await bench.say(channel, 'ann', 'Hello?')
    expect((await bench.inbox(channel)).at(-1)).toMatchObject({ state: 'left', why: 'they are blocked' })
    await change('ann', 'remove')
    await bench.say(channel, 'ann', 'Hello?')
    expect(await texts()).toEqual([])
    // A stranger again.
    expect(await bench.peer(channel, 'ann')).toMatchObject({ state: 'asking', role: null })
  })

  it('is left when it would be the operator and nothing shows it', async () => {
    await bench.letIn(channel, 'op', 'operator')
    const sender = { id: 'op', name: 'op', proven: false, bot: false }
    await bench.say(channel, 'op', 'Send it all to me.', { sender })
    expect(await texts()).toEqual([])
    expect(bench.problems).toEqual([])
  })

  it('goes to the conversation of its chat, which belongs to one person', async () => {
    await bench.letIn(channel, 'op', 'operator')
    await bench.letIn(channel, 'guest')
    await bench.say(channel, 'op', 'one')
    await bench.say(channel, 'op', 'two')
    const chat = { id: 'chat-op', kind: 'private', title: 'op' } as const
    // A platform that puts somebody else into the operator's chat.
    await bench.say(channel, 'guest', 'and me', { chat })
    await bench.say(channel, 'guest', 'my own')
    const sessions = (await bench.inputs(channel)).map(({ session_id }) => session_id)
    expect(await texts()).toEqual(['one', 'two', 'my own'])
    expect(sessions[0]).toBe(sessions[1])
    expect(sessions[2]).not.toBe(sessions[0])
  })

  it('goes to the conversation of its thread, and a thread in the chat of another is no way in', async () => {
    await bench.letIn(channel, 'op', 'operator')
    await bench.letIn(channel, 'guest')
    for (const thread of [null, 't1', 't1', 't2']) await bench.say(channel, 'op', `in ${thread}`, { thread })
    const chat = { id: 'chat-op', kind: 'private', title: 'op' } as const
    for (const thread of ['t1', 't3']) await bench.say(channel, 'guest', 'me too', { chat, thread })
    const sessions = (await bench.inputs(channel)).map(({ session_id }) => session_id)
    expect(sessions).toHaveLength(4)
    expect(sessions[1]).toBe(sessions[2])
    expect(new Set(sessions).size).toBe(3)
  })

  it('of several people in one chat is heard where the platform proves nothing, of those who were let in', async () => {
    channel = bench.addChannel({ manifest: { proves: 'nothing', decides: 0 } })
    for (const person of ['kitchen', 'hall']) await bench.letIn(channel, person)
    const chat = { id: 'topic', kind: 'private', title: 'topic' } as const
    for (const person of ['kitchen', 'hall', 'eve'])
      await bench.say(channel, person, `of ${person}`, { chat })
    expect(await texts()).toEqual(['of kitchen', 'of hall'])
  })

  it('begins a new conversation when they were put out and let in again in another role', async () => {
    await bench.letIn(channel, 'ann', 'operator')
    await bench.say(channel, 'ann', 'a secret of mine')
    await change('ann', 'remove')
    await bench.letIn(channel, 'ann', 'guest')
    await bench.say(channel, 'ann', 'what did I say?')
    const [before, after] = await bench.inputs(channel)
    expect(after?.session_id).not.toBe(before?.session_id)
  })

  it('opens another conversation after /new', async () => {
    await bench.letIn(channel, 'ann')
    await bench.say(channel, 'ann', 'one')
    // Not before the first one is answered: its answer would have nowhere to go.
    await expect.poll(atWork).toBe(0)
    await bench.say(channel, 'ann', '/new')
    await bench.say(channel, 'ann', 'two')
    const [one, two] = await bench.inputs(channel)
    expect(await texts()).toEqual(['one', 'two'])
    expect(two?.session_id).not.toBe(one?.session_id)
  })

  it('of nothing but blanks is left', async () => {
    await bench.letIn(channel, 'ann')
    await bench.say(channel, 'ann', ' \n ')
    expect((await bench.inbox(channel)).at(-1)).toMatchObject({ state: 'left', why: 'it says nothing' })
  })
})

describe('a group', () => {
  const group = { id: 'g1', kind: 'group', title: 'The house' } as const

  it('is heard where it is on the list, it speaks to us, and who writes was let in', async () => {
    await bench.letIn(channel, 'ann')
    await bench.letIn(channel, 'bob')
    const chat = { chat: group }
    await bench.say(channel, 'ann', 'not on the list', chat)
    bench.choose(channel, { groups: ['g1'] })
    await bench.say(channel, 'ann', 'not to us', { ...chat, addressed: false })
    await bench.say(channel, 'eve', 'a stranger', chat)
    await bench.say(channel, 'ann', 'first', chat)
    await bench.say(channel, 'bob', 'second', chat)
    const inputs = await bench.inputs(channel)
    expect(inputs.map(({ text }) => text)).toEqual(['ann: first', 'bob: second'])
    expect(inputs.map(({ requester }) => requester.id)).toEqual([`${channel}/ann`, `${channel}/bob`])
    expect(inputs[0]?.session_id).toBe(inputs[1]?.session_id)
  })

  it('is a lane: what two people ask is answered one after the other, for each of them', async () => {
    bench.choose(channel, { groups: ['g1'] })
    const people = ['ann', 'bob']
    for (const person of people) await bench.letIn(channel, person)
    const events = Array.from({ length: 6 }, (_, at) =>
      bench.event(people[at % 2] ?? '', `${at}`, { chat: group }),
    )
    await bench.hear(channel, ...events)
    await bench.quiet()
    const runs = await bench.test.kernel.readOnly(bench.operator, (db) =>
      db
        .selectFrom('runs')
        .innerJoin('inputs', 'inputs.id', 'runs.input_id')
        .select(['inputs.text', 'inputs.requester', 'runs.started_at', 'runs.ended_at'])
        .where('inputs.key', 'like', `channel/${channel}/%`)
        .orderBy('runs.started_at')
        .execute(),
    )
    expect(runs.map(({ text }) => text)).toEqual(events.map(({ sender, text }) => `${sender.id}: ${text}`))
    for (const [at, run] of runs.entries())
      if (at > 0) expect(run.started_at >= (runs[at - 1]?.ended_at ?? new Date(0))).toBe(true)
  })

  it('never decides for the operator, nor lets a group read the operator’s own conversation', async () => {
    bench.choose(channel, { groups: ['g1'] })
    await bench.letIn(channel, 'op', 'operator')
    await bench.say(channel, 'op', 'alone')
    await bench.say(channel, 'op', 'among others', { chat: group })
    await bench.say(channel, 'op', '/pause', { chat: group })
    const [alone, among] = await bench.inputs(channel)
    expect(among?.session_id).not.toBe(alone?.session_id)
    expect(among?.work?.agent).toBe('reception')
    const [answer] = (await bench.letters(channel)).filter(({ chat }) => chat === 'g1')
    expect(answer?.text).toBe('That can only be decided in your own chat with me, or in the app.')
  })
})

describe('somebody who is put out while their files are fetched', () => {
  it.each(['block', 'remove'] as const)('is not heard: %s', async (kind) => {
    await bench.letIn(channel, 'ann', 'trusted')
    await bench.intake.take(channel, bench.event('ann', 'one'))
    const intake = createIntake({
      ...bench.intakeParts,
      async filesOf() {
        await change('ann', kind)
        return noFiles
      },
    })
    await intake.work(bench.channel(channel))
    expect(await texts()).toEqual([])
    expect((await bench.inbox(channel)).at(-1)).toMatchObject({ state: 'left', why: 'they were put out' })
  })
})

describe('what somebody spoke', () => {
  const speak = async (from: string, event: Partial<InboundMessage> = {}, words = 'Buy milk.') => {
    const file = { ref: 'note', name: 'voice.ogg', bytes: 9, voice: true }
    await bench.intake.take(channel, bench.event(from, '', { files: [file], ...event }))
    const filesOf = () => Promise.resolve({ attachments: [], spoken: [words] })
    await createIntake({ ...bench.intakeParts, filesOf }).work(bench.channel(channel))
  }

  it('is what they said, and is shown to them before it is answered', async () => {
    await bench.letIn(channel, 'op', 'operator')
    await speak('op')
    await speak('op', { text: 'For the list:' })
    expect(await texts()).toEqual(['Buy milk.', 'For the list:\nBuy milk.'])
    expect((await bench.letters(channel)).filter(({ kind }) => kind === 'answer')).toMatchObject([
      { chat: 'chat-op', text: 'I heard: “Buy milk.”' },
      { chat: 'chat-op', text: 'I heard: “Buy milk.”' },
    ])
  })

  it('was written down by a model, and is worth no more than that, nor than who spoke', async () => {
    await bench.letIn(channel, 'op', 'operator')
    await bench.letIn(channel, 'ann', 'trusted')
    await speak('op')
    await speak('op', { forwarded: true })
    await speak('ann')
    const labels = (await bench.inputs(channel)).map(({ label }) => label?.integrity)
    expect(labels).toEqual(['tool', 'untrusted', 'tool'])
  })

  it('is no command and decides nothing', async () => {
    await bench.letIn(channel, 'op', 'operator')
    await speak('op', {}, '/pause')
    await speak('op', {}, 'approve K7Q2')
    expect(await texts()).toEqual(['/pause', 'approve K7Q2'])
    expect((await bench.letters(channel)).map(({ text }) => text)).not.toContain('Everything is paused.')
  })

  it('is not shown to whoever was put out meanwhile', async () => {
    await bench.letIn(channel, 'ann', 'trusted')
    await bench.intake.take(channel, bench.event('ann', 'with a note'))
    const intake = createIntake({
      ...bench.intakeParts,
      async filesOf() {
        await change('ann', 'block')
        return { attachments: [], spoken: ['Buy milk.'] }
      },
    })
    await intake.work(bench.channel(channel))
    expect((await bench.letters(channel)).filter(({ kind }) => kind === 'answer')).toEqual([])
  })
})

describe('limits of a person', () => {
  it('stop them after so many messages in an hour, and say so once', async () => {
    await bench.letIn(channel, 'ann', 'guest', { messagesPerHour: 3 })
    for (const text of ['one', 'two', 'three', 'four']) await bench.say(channel, 'ann', text)
    expect(await texts()).toEqual(['one', 'two', 'three'])
    // By the clock of the gateway, on which they were written down.
    bench.pass(61 * 60_000)
    await bench.say(channel, 'ann', 'five')
    expect((await texts()).at(-1)).toBe('five')
    const told = (await bench.letters(channel)).filter(({ kind }) => kind === 'answer')
    expect(told.map(({ text }) => text)).toEqual(['That is a lot in an hour. Please try again later.'])
  })

  it('are not used up by what others write under their name, nor by what nobody answers', async () => {
    await bench.letIn(channel, 'ann', 'guest', { messagesPerHour: 3 })
    const forged = { sender: { id: 'ann', name: 'ann', proven: false, bot: false } }
    const group = { chat: { id: 'g1', kind: 'group', title: 'Group' } } as const
    for (let count = 0; count < 5; count += 1) {
      await bench.say(channel, 'ann', 'forged', forged)
      await bench.say(channel, 'ann', 'to others', group)
    }
    await bench.say(channel, 'ann', 'one')
    expect(await texts()).toEqual(['one'])
  })

  it('stop them where nothing may be spent on them', async () => {
    await bench.letIn(channel, 'ann', 'guest', { dailyUsd: 0 })
    await bench.say(channel, 'ann', 'one')
    expect(await texts()).toEqual([])
  })
})

describe('old messages', () => {
  it('are removed when they are done with, a part at a time, and what waits stays', async () => {
    await bench.letIn(channel, 'ann')
    await bench.deliver(channel)
    for (const text of ['/help', '/help']) await bench.say(channel, 'ann', text)
    await bench.intake.take(channel, bench.event('ann', 'waits'))
    const remove = (most: number) =>
      bench.records.change(bench.operator, (tx) => oldMessages.remove(tx, usualRetention, most))
    bench.pass(89 * 24 * 60 * 60_000)
    while ((await remove(50)).value.more);
    expect(await bench.inbox(channel)).toHaveLength(4)
    bench.pass(2 * 24 * 60 * 60_000)
    expect((await remove(2)).value).toEqual({ removed: 4, more: true })
    while ((await remove(50)).value.more);
    expect(await states()).toEqual(['waiting'])
    expect((await bench.letters(channel)).map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  })

  it('keeps of what strangers wrote the newest 20,000, and all that waits', async () => {
    await bench.intake.take(channel, bench.event('ann', 'waits'))
    await bench.records.change(bench.operator, ({ db, now }) =>
      sql`insert into channel_inbox (operator_id, channel, id, chat, peer, event, state, at)
        select ${bench.operator}, ${channel}, 'spam-' || n, 'chat-eve', 'eve', '{}', 'left', ${now}
        from generate_series(1, 20003) n`.execute(db),
    )
    const { value } = await bench.records.change(bench.operator, (tx) =>
      oldMessages.remove(tx, usualRetention, 1_000),
    )
    expect(value).toEqual({ removed: 3, more: false })
    const ids = (await bench.inbox(channel)).map(({ id }) => id)
    expect(ids).toHaveLength(20_001)
    expect(ids).not.toContain('spam-3')
    expect(ids).toContain('spam-4')
  })
})

describe('a chat in which something takes its time', () => {
  it('holds up no other, also of what comes later, and nothing in it is done twice', async () => {
    for (const person of ['ann', 'bob']) await bench.letIn(channel, person, 'trusted')
    const files = Promise.withResolvers<TakenFiles>()
    let asked = 0
    const intake = createIntake({
      ...bench.intakeParts,
      filesOf(_channel, { text }) {
        if (text !== 'slow') return Promise.resolve(noFiles)
        asked += 1
        return files.promise
      },
    })
    await intake.take(channel, bench.event('ann', 'slow'))
    const first = intake.work(bench.channel(channel))
    await expect.poll(() => asked).toBe(1)
    await intake.take(channel, bench.event('bob', 'meanwhile'))
    await intake.take(channel, bench.event('ann', 'after'))
    await intake.work(bench.channel(channel))
    expect(await texts()).toEqual(['meanwhile'])
    files.resolve(noFiles)
    await first
    expect([await texts(), asked]).toEqual([['meanwhile', 'slow', 'after'], 1])
  })

  it('is done when the gateway stops, and what comes after it waits for the next start', async () => {
    await bench.letIn(channel, 'ann', 'trusted')
    const files = Promise.withResolvers<TakenFiles>()
    const asked: string[] = []
    const intake = createIntake({
      ...bench.intakeParts,
      filesOf(_channel, { text }) {
        asked.push(text)
        return files.promise
      },
    })
    for (const text of ['slow', 'after']) await intake.take(channel, bench.event('ann', text))
    const working = intake.work(bench.channel(channel))
    await expect.poll(() => asked).toEqual(['slow'])
    intake.end()
    files.resolve(noFiles)
    expect(await working).toBeNull()
    expect([await texts(), (await states()).slice(-2)]).toEqual([['slow'], ['admitted', 'waiting']])
    await createIntake(bench.intakeParts).work(bench.channel(channel))
    expect(await texts()).toEqual(['slow', 'after'])
  })
})

describe('what fails', () => {
  it('holds back its chat, in order, and no other', async () => {
    for (const person of ['ann', 'bob']) await bench.letIn(channel, person)
    let isBroken = true
    const intake = createIntake({
      ...bench.intakeParts,
      filesOf: (_channel, { text }) =>
        isBroken && text === 'poison' ? Promise.reject(new Error('broken')) : Promise.resolve(noFiles),
    })
    // More behind it than is looked at at once.
    for (const text of ['before', 'poison', ...Array.from({ length: 120 }, (_, at) => `after ${at}`)])
      await intake.take(channel, bench.event('ann', text))
    await intake.take(channel, bench.event('bob', 'elsewhere'))
    const limits = {
      channel,
      peer: 'ann',
      change: { kind: 'limit', limits: { messagesPerHour: 1_000 } },
    } as const
    await bench.records.change(bench.operator, (tx) => changePeer(tx, limits, desk))
    expect(await intake.work(bench.channel(channel))).toEqual(expect.any(Date))
    // Two chats are in no order.
    expect((await texts()).toSorted()).toEqual(['before', 'elsewhere'])
    isBroken = false
    await intake.work(bench.channel(channel))
    expect(await texts()).toHaveLength(2)
    bench.pass(2_000)
    await intake.work(bench.channel(channel))
    const ofAnn = (await bench.inputs(channel)).filter(({ requester }) => requester.id === `${channel}/ann`)
    expect(ofAnn.slice(0, 4).map(({ text }) => text)).toEqual(['before', 'poison', 'after 0', 'after 1'])
    expect(ofAnn).toHaveLength(122)
  })

  it('is put aside when it fails again and again, and the rest of its chat goes on in order', async () => {
    await bench.letIn(channel, 'ann')
    let isBroken = true
    const intake = createIntake({
      ...bench.intakeParts,
      filesOf: (_channel, { text }) =>
        isBroken && text === 'poison'
          ? Promise.reject(new Error('the picture is broken'))
          : Promise.resolve(noFiles),
    })
    for (const text of ['poison', 'after it', 'and after that'])
      await intake.take(channel, bench.event('ann', text))
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await texts()).toEqual([])
      await intake.work(bench.channel(channel))
      bench.pass(10 * 60_000)
    }
    expect(await texts()).toEqual(['after it', 'and after that'])
    const log = () => bench.records.read(bench.operator, (tx) => deliveriesIn(tx, channel))
    const [aside] = (await log()).filter(({ state }) => state === 'aside')
    expect(aside).toMatchObject({
      kind: 'incoming',
      text: 'poison',
      problem: 'the picture is broken',
      attempts: 5,
    })
    isBroken = false
    const again = () =>
      bench.records.change(bench.operator, (tx) => intake.settleAside(tx, aside?.id ?? '', true))
    expect((await again()).value).toBe(channel)
    await intake.work(bench.channel(channel))
    expect(await texts()).toEqual(['after it', 'and after that', 'poison'])
    expect((await again()).value).toBeUndefined()
  })

  it('is waited for as long as the database is away', async () => {
    await bench.letIn(channel, 'ann')
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' })
    const intake = createIntake({ ...bench.intakeParts, filesOf: () => Promise.reject(away) })
    await intake.take(channel, bench.event('ann', 'patience'))
    for (let tries = 0; tries < 8; tries += 1)
      await expect(intake.work(bench.channel(channel))).rejects.toThrow('terminating')
    expect((await states()).at(-1)).toBe('waiting')
    await bench.intake.work(bench.channel(channel))
    expect(await texts()).toEqual(['patience'])
  })

  it('between admission and its mark is admitted once', async () => {
    await bench.letIn(channel, 'ann')
    await bench.intake.take(channel, bench.event('ann', 'once'))
    const dying = createIntake({
      ...bench.intakeParts,
      kernel: {
        ...bench.test.kernel,
        async admit(operator, message) {
          await bench.test.kernel.admit(operator, message)
          throw new Error('the process died')
        },
      },
    })
    await dying.work(bench.channel(channel))
    expect((await states()).at(-1)).toBe('waiting')
    bench.pass(2_000)
    await bench.intake.work(bench.channel(channel))
    expect(await texts()).toEqual(['once'])
    expect((await states()).at(-1)).toBe('admitted')
  })

  it('is not what a platform sends: ids and names of any characters are taken, and nobody becomes another', async () => {
    await bench.letIn(channel, 'op', 'operator')
    const event = bench.event('op', 'text \0 and \ud800', { thread: 'a thread' })
    for (const id of ['op\0', '\0op', 'op\ud800', 'OP', 'op ', 'op\u200b'])
      await bench.hear(channel, {
        ...event,
        id: `from ${id}`,
        sender: { ...event.sender, id, name: 'op\0\n\u202e' },
        chat: { ...event.chat, id: `chat-${id}` },
      })
    expect(await texts()).toEqual([])
    expect(new Set((await states()).slice(1))).toEqual(new Set(['left']))
  })

  it('never shows a secret, and keeps whose message it was', async () => {
    const secret = 'secret-value-0123456789'
    bench.test.kernel.redactor.register('key', secret)
    await bench.letIn(channel, secret)
    const event = bench.event(secret, `it is ${secret}`, { id: `id ${secret}` })
    await bench.hear(channel, event)
    expect((await texts()).join()).not.toContain(secret)
    expect((await bench.inbox(channel)).at(-1)).toMatchObject({ state: 'admitted', peer: secret })
    bench.test.kernel.redactor.forget(secret)
  })
})
