import { createHash, randomUUIDv7 } from 'node:crypto'
import type { SendResult } from '@countersign/channels'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliveriesIn } from './channel-views.ts'
import type { Letter } from './outbox.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

let bench: ChannelBench
let channel: string
beforeAll(async () => {
  bench = await openChannelBench()
})
afterAll(() => bench.close())
beforeEach(() => {
  channel = bench.addChannel()
})

const minute = 60_000
const letter = (text: string, over: Partial<Letter> = {}): Letter => ({
  key: `key ${randomUUIDv7()}`,
  channel,
  chat: 'c1',
  kind: 'answer',
  text,
  format: 'plain',
  lastsMs: 60 * minute,
  ...over,
})
const post = (...letters: readonly Letter[]) =>
  bench.records.change(bench.operator, async (tx) => {
    for (const each of letters) await bench.outbox.post(tx, each)
  })
const settle = (id: string, send: boolean) =>
  bench.records.change(bench.operator, (tx) => bench.outbox.settle(tx, id, send))
const states = async () => (await bench.letters(channel)).map(({ state }) => state)
const answering = (...results: readonly SendResult[]) => {
  let at = 0
  return () => {
    at += 1
    return results[at - 1] ?? ({ kind: 'sent', message: `later${at}` } as const)
  }
}
const later = (afterMs: number | null) => ({ kind: 'later', afterMs, problem: 'Not now.' }) as const
const unknown = { kind: 'unknown', problem: 'The line broke.' } as const

describe('what goes out', () => {
  it('goes in order within a chat, and no chat waits for another', async () => {
    await post(...Array.from({ length: 5 }, (_, at) => letter(`${at}`)), letter('elsewhere', { chat: 'c2' }))
    const next = await bench.deliver(channel, ({ text }) =>
      text === '2' ? later(5 * minute) : { kind: 'sent', message: text },
    )
    expect(bench.sentTo(channel, 'c1')).toEqual(['0', '1'])
    expect(bench.sentTo(channel, 'c2')).toEqual(['elsewhere'])
    expect(next?.getTime()).toBeGreaterThan(bench.clock().getTime() + 4 * minute)
    bench.pass(5 * minute)
    expect(await bench.deliver(channel)).toBeNull()
    expect(bench.sentTo(channel, 'c1')).toEqual(['0', '1', '2', '3', '4'])
  })

  it('takes a file along as it was when it was allowed to go, or not at all', async () => {
    channel = bench.addChannel({ manifest: { files: { most: 100 } } })
    const bytes = Buffer.from('a report')
    const file = (path: string) => ({ path, sha256: createHash('sha256').update(bytes).digest('hex') })
    bench.files
      .set('notes/report.txt', bytes)
      .set('changed.txt', Buffer.from('another'))
      .set('large.txt', Buffer.alloc(101))
    const paths = ['notes/report.txt', 'changed.txt', 'large.txt', 'gone.txt']
    await post(...paths.map((path) => letter(path, { chat: path, file: file(path) })))
    await bench.deliver(channel)
    const took = bench.sent.filter((each) => each.channel === channel)
    expect(took.map(({ file: taken }) => taken)).toEqual([
      { name: 'report.txt', mediaType: 'text/plain', bytes },
    ])
    const ended = (await bench.letters(channel)).map(({ text, state, problem }) => [text, state, problem])
    expect(ended.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual([
      ['changed.txt', 'refused', 'changed.txt has changed since it was allowed to go.'],
      ['gone.txt', 'refused', 'gone.txt is gone, or larger than Remembered takes.'],
      ['large.txt', 'refused', 'large.txt is gone, or larger than Remembered takes.'],
      ['notes/report.txt', 'sent', null],
    ])
  })

  it('is no file where the platform takes none', async () => {
    await post(letter('a.txt', { file: { path: 'a.txt', sha256: '0'.repeat(64) } }))
    await bench.deliver(channel)
    expect((await bench.letters(channel)).map(({ problem }) => problem)).toEqual([
      'Remembered takes no files.',
    ])
  })

  it('is split where it is too long, with its buttons below the end and nothing to decide by an answer', async () => {
    channel = bench.addChannel({ manifest: { text: { most: 40, unit: 'characters' } } })
    const buttons = [{ label: 'Approve once', data: 'approve' }]
    await post(letter('word '.repeat(20), { kind: 'card', about: 'apr_1', digest: 'd', buttons }))
    await bench.deliver(channel)
    const pieces = bench.sent.filter((each) => each.channel === channel)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.map((piece) => piece.buttons.length)).toEqual([...pieces.slice(1).map(() => 0), 1])
    expect(new Set(pieces.map(({ key }) => key)).size).toBe(pieces.length)
    expect((await bench.letters(channel)).map(({ digest }) => digest)).toEqual(pieces.map(() => null))
  })

  it('is posted once under its key, whatever it says the second time', async () => {
    const first = letter('once')
    await post(first)
    await post({ ...first, text: 'other words' }, first)
    await bench.deliver(channel)
    await post(first)
    await bench.deliver(channel)
    expect(bench.sentTo(channel, 'c1')).toEqual(['once'])
  })

  it('is not sent when it is too old, and lets the next one go', async () => {
    await post(letter('old', { lastsMs: minute }), letter('young'))
    bench.pass(2 * minute)
    await bench.deliver(channel)
    expect(await states()).toEqual(['expired', 'sent'])
  })

  it('waits longer with every try, or as long as the platform says', async () => {
    await post(letter('again', { lastsMs: 24 * 60 * minute }))
    const pauses: number[] = []
    for (let at = 0; at < 13; at += 1) {
      const before = bench.clock().getTime()
      const next = await bench.deliver(channel, () => later(null))
      pauses.push(Math.round(((next?.getTime() ?? 0) - before) / 1_000))
      bench.pass((next?.getTime() ?? 0) - bench.clock().getTime())
    }
    expect(pauses.slice(0, 4)).toEqual([1, 2, 4, 8])
    expect(pauses.at(-1)).toBe(15 * 60)
    await bench.deliver(channel, () => later(7_000))
    expect(bench.sentTo(channel, 'c1')).toEqual([])
  })

  it('is given up where the platform never takes it, and the ledger says so', async () => {
    await post(letter('no'), letter('yes'))
    await bench.deliver(channel, answering({ kind: 'refused', problem: 'No such chat.' }))
    expect(await states()).toEqual(['refused', 'sent'])
    const entries = await bench.test.kernel.readOnly(bench.operator, (db) =>
      db.selectFrom('ledger_entries').select('body').where('type', '=', 'channel.message_refused').execute(),
    )
    expect(entries.filter(({ body }) => body.includes(channel))).toHaveLength(1)
  })
})

describe('what may have been sent', () => {
  it('is called unknown and is not sent again', async () => {
    await post(letter('perhaps'), letter('next'))
    await bench.deliver(channel, answering(unknown))
    bench.pass(minute)
    await bench.deliver(channel)
    expect(await states()).toEqual(['unknown', 'sent'])
    expect(bench.sentTo(channel, 'c1')).toEqual(['next'])
  })

  it('is sent again under the same key where the platform takes one', async () => {
    channel = bench.addChannel({ manifest: { sendsOnce: true } })
    await post(letter('surely'))
    const keys: string[] = []
    await bench.deliver(channel, ({ key }) => {
      keys.push(key)
      return unknown
    })
    bench.pass(2_000)
    await bench.deliver(channel, ({ key }) => {
      keys.push(key)
      return { kind: 'sent', message: 'm' }
    })
    expect(await states()).toEqual(['sent'])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  it.each([
    [false, 'unknown', []],
    [true, 'sent', ['half']],
  ] as const)(
    'was under way when the process died; the platform takes a key: %s',
    async (sendsOnce, state, told) => {
      channel = bench.addChannel({ manifest: { sendsOnce } })
      await post(letter('half'), letter('next'))
      const { manifest } = bench.channel(channel)
      // It never answers, and the process ends.
      const { promise: reached, resolve } = Promise.withResolvers<void>()
      const never = () => {
        resolve()
        return new Promise<SendResult>(() => undefined)
      }
      void bench.openOutbox().deliver(channel, { manifest, send: never, edit: never })
      await reached
      expect(await states()).toEqual(['sending', 'waiting'])
      await bench.outbox.recover(channel, manifest)
      await bench.deliver(channel)
      expect(await states()).toEqual([state, 'sent'])
      expect(bench.sentTo(channel, 'c1')).toEqual([...told, 'next'])
    },
  )

  it('does not hold up its chat when the database failed after it', async () => {
    await post(letter('one'), letter('two'), letter('elsewhere', { chat: 'c2' }))
    await expect(
      bench.deliver(channel, ({ text }) => {
        if (text === 'one') throw new Error('the connection broke')
        return { kind: 'sent', message: text }
      }),
    ).rejects.toThrow('the connection broke')
    await bench.deliver(channel)
    expect(await states()).toEqual(['unknown', 'sent', 'sent'])
  })
})

describe('a change', () => {
  it('goes in the place of what was sent, and is a message of its own where that never arrived', async () => {
    await post(letter('card'), letter('lost'))
    await bench.deliver(channel, answering({ kind: 'sent', message: 'm1' }, { kind: 'refused', problem: '' }))
    const [card, lost] = await bench.letters(channel)
    await post(
      letter('card: done', { kind: 'change', changes: card?.id ?? '' }),
      letter('lost: done', { kind: 'change', changes: lost?.id ?? '' }),
    )
    await bench.deliver(channel)
    const changes = bench.sent.filter((each) => each.channel === channel).slice(1)
    expect(changes.map(({ text, changes: of }) => [text, of])).toEqual([
      ['card: done', 'm1'],
      ['lost: done', null],
    ])
  })
})

describe('an answer that is held', () => {
  const held = (key: string, text: string) => letter(text, { key, kind: 'reply', about: 'run_1', held: true })

  it('goes whole when it is let go, and no other answer of its run with it', async () => {
    channel = bench.addChannel({ manifest: { text: { most: 40, unit: 'characters' } } })
    const key = randomUUIDv7()
    await post(held(`question/${key}`, 'Is that right?'), held(`reply/${key}/2`, 'word '.repeat(20)))
    await bench.deliver(channel)
    expect(bench.sentTo(channel, 'c1')).toEqual([])
    const [question, , last] = await bench.letters(channel)
    await settle(last?.id ?? '', true)
    await bench.deliver(channel)
    expect(bench.sentTo(channel, 'c1').join(' ')).toBe('word '.repeat(20).trim())
    await settle(question?.id ?? '', false)
    await bench.deliver(channel)
    expect((await states())[0]).toBe('dropped')
  })

  it('is read as one, however many others came after it', async () => {
    channel = bench.addChannel({ manifest: { text: { most: 40, unit: 'characters' } } })
    await post(held(`reply/${randomUUIDv7()}/2`, `${'word '.repeat(20)}4711`))
    for (let count = 0; count < 210; count += 1) await post(letter(`later ${count}`, { chat: 'c2' }))
    const log = await bench.records.read(bench.operator, (tx) => deliveriesIn(tx, channel))
    const waiting = log.filter(({ state }) => state === 'held')
    expect(waiting.map(({ text }) => text.split(/\s+/).join(' '))).toEqual([`${'word '.repeat(20)}4711`])
    expect(log).toHaveLength(201)
    await settle(waiting[0]?.id ?? '', true)
    expect((await bench.letters(channel)).some(({ state }) => state === 'held')).toBe(false)
  })

  it('is settled once, by its id, and nothing else is', async () => {
    await post(held(randomUUIDv7(), 'one'), letter('waiting', { about: 'run_1', chat: 'c2' }))
    const [one, waiting] = await bench.letters(channel)
    await expect(settle(waiting?.id ?? '', false)).rejects.toThrow('waits for you')
    await expect(settle('dl_nothing', true)).rejects.toThrow('waits for you')
    await settle(one?.id ?? '', false)
    await expect(settle(one?.id ?? '', true)).rejects.toThrow('waits for you')
    await bench.deliver(channel)
    expect(await states()).toEqual(['dropped', 'sent'])
  })

  it('is sent even after a day of waiting, when it is let go', async () => {
    await post(held(randomUUIDv7(), 'late'))
    bench.pass(24 * 60 * minute)
    const [late] = await bench.letters(channel)
    await settle(late?.id ?? '', true)
    await bench.deliver(channel)
    expect(bench.sentTo(channel, 'c1')).toEqual(['late'])
  })
})
