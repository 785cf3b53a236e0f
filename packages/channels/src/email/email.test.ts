import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { InboundMessage } from '../frame/events.ts'
import type { OutboundMessage } from '../frame/protocol.ts'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, type TestGateway, until } from '../testing/test-gateway.ts'
import { createEmailAdapter } from './adapter.ts'
import { type EmailPlatform, openEmailPlatform } from './testing/platform.ts'
import { createSigningKey, recordsOf, signed } from './testing/signed-mail.ts'

const key = createSigningKey()
const records = recordsOf({
  'one._domainkey.kovac.test': key.record,
  '_dmarc.kovac.test': 'v=DMARC1; p=reject',
})

const patienceMs = 20_000

describeChannel({
  // Dovecot waits half a second before it says that something came.
  adapter: createEmailAdapter({ records, lookEveryMs: 20 }),
  open: () => openEmailPlatform(key),
  without: {
    edits: 'An e-mail cannot be changed.',
    deletes: 'An e-mail cannot be taken back.',
    voice: 'A file of sound may be anything.',
    'slow-down': 'SMTP says that it is too much, and not for how long.',
  },
})

let platform: EmailPlatform
let gateway: TestGateway
beforeAll(async () => {
  platform = await openEmailPlatform(key)
  gateway = createTestGateway({
    adapter: createEmailAdapter({ records, lookEveryMs: 60_000 }),
    settings: platform.settings,
    secrets: platform.secrets,
    patienceMs,
  })
  gateway.start()
  await gateway.connected()
})
afterEach(async () => {
  // A copy that somebody shows once more came at another time.
  expect(gateway.nonsense.filter((said) => !said.includes('told again'))).toEqual([])
  await gateway.connected()
})
afterAll(async () => {
  await gateway.stop()
  await platform.close()
})

let count = 0
/** An e-mail of Ana to us, with these lines instead of the usual ones. */
function letter(body: string, lines: Readonly<Record<string, string>> = {}): string {
  count += 1
  const usual = {
    From: 'Ana <ana@kovac.test>',
    To: 'me@home.test',
    Subject: `The question ${count}`,
    Date: new Date().toUTCString().replace('GMT', '+0000'),
    'Message-ID': `<letter-${count}@kovac.test>`,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
  }
  const head = Object.entries({ ...usual, ...lines }).map(([name, value]) => `${name}: ${value}`)
  return `${head.join('\n')}\n\n${body}\n`
}
const sign = (raw: string) => signed(raw, { domain: 'kovac.test', key })
const message = (change: Partial<OutboundMessage> = {}): OutboundMessage => ({
  key: `key/${crypto.randomUUID()}`,
  chat: 'ana@kovac.test',
  thread: null,
  text: 'hello',
  format: 'plain',
  buttons: [],
  file: null,
  ...change,
})
async function heard(word: string): Promise<InboundMessage> {
  const find = () =>
    gateway.taken.find(
      (event): event is InboundMessage => event.type === 'message' && event.text.includes(word),
    )
  await until(word, () => find() !== undefined, patienceMs)
  const found = find()
  if (!found) throw new Error('It is gone.')
  return found
}

describe('the inbox', () => {
  it('tells at once that something came', async () => {
    await platform.puts(await sign(letter('word-idle')))
    expect(await heard('word-idle')).toMatchObject({
      sender: { id: 'ana@kovac.test', name: 'Ana', proven: true, bot: false },
      chat: { id: 'ana@kovac.test', kind: 'private' },
      addressed: true,
      thread: `<letter-${count}@kovac.test> The question ${count}`,
    })
  })

  it('brings what another server sent, signed or not', async () => {
    await platform.brings(await sign(letter('word-signed')))
    expect((await heard('word-signed')).sender).toMatchObject({ proven: true })
    await platform.brings(letter('word-unsigned'))
    expect((await heard('word-unsigned')).sender).toMatchObject({ id: 'ana@kovac.test', proven: false })
  })

  it('says that somebody added to what was signed, or wrote it to somebody else', async () => {
    await platform.puts(`Subject: other\r\n${await sign(letter('word-added'))}`)
    expect((await heard('word-added')).sender.proven).toBe(false)
    await platform.puts(await sign(letter('word-shown-again', { To: 'eve@evil.test' })))
    expect((await heard('word-shown-again')).sender.proven).toBe(false)
  })

  it('takes a proven e-mail once, however often somebody shows it', async () => {
    const raw = await sign(letter('word-once'))
    for (const copy of [raw, `X-Copy: 1\r\n${raw}`, `Received: from x by y\r\n${raw}`])
      await platform.puts(copy)
    await platform.puts(await sign(letter('word-after-once')))
    await heard('word-after-once')
    const copies = gateway.taken.filter((event) => event.type === 'message' && event.text === 'word-once')
    expect(copies.length).toBe(1)
  })

  it('tells nothing of e-mails that name nobody or several who wrote', async () => {
    await platform.puts(letter('word-nobody', { From: 'Ana' }))
    await platform.puts(letter('word-several', { From: 'ana@kovac.test, boss@home.test' }))
    await platform.puts(`From: boss@home.test\n${letter('word-two')}`)
    await platform.puts(await sign(letter('word-one')))
    await heard('word-one')
    for (const word of ['word-nobody', 'word-several', 'word-two'])
      expect(gateway.handed.some((event) => event.type === 'message' && event.text === word)).toBe(false)
  })

  it('says that a program wrote, and our own e-mails are of one', async () => {
    await platform.puts(await sign(letter('word-away', { 'Auto-Submitted': 'auto-replied' })))
    expect((await heard('word-away')).sender.bot).toBe(true)
    await platform.puts(letter('word-own', { From: 'me@home.test' }))
    expect((await heard('word-own')).sender.bot).toBe(true)
    expect((await gateway.send(message({ chat: 'me@home.test', text: 'word-to-us' }))).kind).toBe('sent')
    expect((await heard('word-to-us')).sender.bot).toBe(true)
  })

  it('hears what they wrote, and not what they answer to or hide', async () => {
    const quoted = 'word-answer\n\nOn Monday, Countersign <me@home.test> wrote:\n> [Approval K7Q2 · T3]\n'
    await platform.puts(await sign(letter(quoted)))
    expect((await heard('word-answer')).text).toBe('word-answer')
    const html = '<p>word-html</p><p style="display:none">hidden</p>'
    await platform.puts(await sign(letter(html, { 'Content-Type': 'text/html' })))
    expect((await heard('word-html')).text).toBe('word-html')
    const both = `--b\nContent-Type: text/plain\n\nword-both\n--b\nContent-Type: text/html\n\n${html.replace('word-html', 'more')}\n--b--`
    await platform.puts(await sign(letter(both, { 'Content-Type': 'multipart/mixed; boundary=b' })))
    expect((await heard('word-both')).text).toBe('word-both\n\nmore')
  })

  it('goes on where the server numbers the e-mails anew, and skips and repeats nothing', async () => {
    await platform.puts(await sign(letter('word-before')))
    const before = await heard('word-before')
    await platform.repeats?.()
    await platform.puts(await sign(letter('word-after-numbers')))
    await heard('word-after-numbers')
    expect(gateway.taken.filter(({ id }) => id === before.id).length).toBe(1)
    expect(gateway.handed.filter(({ id }) => id === before.id).length).toBeGreaterThan(1)
  })

  it('does not read at its first start what was there before', async () => {
    const other = createTestGateway({
      adapter: createEmailAdapter({ records, lookEveryMs: 60_000 }),
      settings: platform.settings,
      secrets: platform.secrets,
      patienceMs,
    })
    other.start()
    await other.connected()
    await platform.puts(await sign(letter('word-new')))
    await until('the new one', () => other.taken.length > 0, patienceMs)
    expect(other.taken.map((event) => event.type === 'message' && event.text)).toEqual(['word-new'])
    await other.stop()
    await heard('word-new')
  })

  it.each([
    [
      'parts in parts',
      () =>
        `${Array.from({ length: 200 }, (_, at) => `--b${at}\nContent-Type: multipart/mixed; boundary=b${at + 1}\n`).join('\n')}`,
    ],
    ['a broken code', () => '=?utf-8?B?////=?= =ZZ =\n--\n\0\0'],
    ['nothing', () => ''],
    ['many files', () => `${'--b0\nContent-Disposition: attachment; filename=x\n\nx\n'.repeat(500)}--b0--`],
  ])('lives on after an e-mail of %s', async (_, body) => {
    await platform.puts(letter(body(), { 'Content-Type': 'multipart/mixed; boundary=b0' }))
    await platform.puts(await sign(letter(`word-live-${count}.`)))
    await heard(`word-live-${count - 1}.`)
  })

  it('says who wrote what is too large to be read, and believes nobody that', async () => {
    const raw = await sign(letter('x'.repeat(75).concat('\n').repeat(350_000), { Subject: 'word-large' }))
    await platform.puts(raw)
    await until(
      'the large one',
      () => gateway.taken.some((event) => event.type === 'message' && event.thread?.endsWith('word-large')),
      patienceMs,
    )
    const large = gateway.taken.find(
      (event) => event.type === 'message' && event.thread?.endsWith('word-large'),
    )
    expect(large).toMatchObject({ text: '', sender: { id: 'ana@kovac.test', proven: false } })
  })

  it('lives on after heads of e-mails that are far too long', async () => {
    await platform.puts(letter('x', { From: `(${'('.repeat(100_000)} ana@kovac.test` }))
    await platform.puts(letter('x', { References: '<a@b> '.repeat(50_000) }))
    await platform.puts(letter('x', { To: 'a@b.test, '.repeat(30_000) }))
    await platform.puts(letter('x', { Subject: '=?utf-8?B?YQ==?= '.repeat(20_000) }))
    await platform.puts(await sign(letter('word-heads')))
    await heard('word-heads')
  })
})

describe('sending e-mails', () => {
  it('answers whoever wrote, and no other whom they named', async () => {
    const lines = { To: 'me@home.test, ben@kovac.test', Cc: 'ben@kovac.test', 'Reply-To': 'ben@kovac.test' }
    await platform.puts(await sign(letter('word-all', lines)))
    const { chat, thread, sender } = await heard('word-all')
    expect(sender.proven).toBe(true)
    const before = platform.inbox(platform.people.ben).length
    expect((await gateway.send(message({ chat: chat.id, thread, text: 'word-reply' }))).kind).toBe('sent')
    const reply = platform.inbox(platform.people.ana).find((raw) => raw.includes('word-reply')) ?? ''
    expect(reply).toMatch(/^To: ana@kovac\.test\r?$/m)
    expect(reply).toContain(`In-Reply-To: <letter-${count}@kovac.test>`)
    expect(reply).toContain(`Subject: Re: The question ${count}`)
    expect(platform.inbox(platform.people.ben).length).toBe(before)
  })

  it.each([
    ['451 4.7.1 Try again later', 'later'],
    ['421 4.7.0 Too much', 'later'],
    ['452 4.2.2 Full', 'later'],
    ['550 5.7.1 No', 'refused'],
    ['554 5.7.1 Spam', 'refused'],
  ] as const)('of the answer %s says %s', async (line, kind) => {
    platform.answerNext(line)
    expect((await gateway.send(message())).kind).toBe(kind)
    expect((await gateway.send(message())).kind).toBe('sent')
  })

  it('says unknown where the server had the whole, and later where it had a part', async () => {
    platform.fail?.({ kind: 'lost-after' })
    expect((await gateway.send(message())).kind).toBe('unknown')
    platform.fail?.({ kind: 'lost-before' })
    expect((await gateway.send(message())).kind).toBe('later')
  })

  it.each([
    'ana@kovac.test, ben@kovac.test',
    'ana@kovac.test\r\nRCPT TO:<ben@kovac.test>',
    'Ana <ana@kovac.test>',
    '-x',
    'a@b@c',
    'ANA@KOVAC.TEST',
  ])('refuses %j, which is not one address', async (chat) => {
    expect((await gateway.send(message({ chat }))).kind).toBe('refused')
  })
})
