import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboundMessage } from '../frame/events.ts'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, type TestGateway, until as untilWithin } from '../testing/test-gateway.ts'
import { matrixAdapter } from './adapter.ts'
import { htmlOf } from './html.ts'
import { type MatrixPlatform, openMatrixPlatform, us } from './testing/platform.ts'

// Private chats are encrypted there, the group is not.
describeChannel({
  adapter: matrixAdapter,
  open: openMatrixPlatform,
  without: { forwarded: 'Matrix does not say that a message was passed on.' },
})

const patienceMs = 20_000
const until = (what: string, isSo: () => boolean) => untilWithin(what, isSo, patienceMs)

describe('Matrix', () => {
  let platform: MatrixPlatform
  let gateway: TestGateway

  beforeAll(async () => {
    platform = await openMatrixPlatform()
    const { secrets, settings } = platform
    gateway = createTestGateway({ adapter: matrixAdapter, settings, secrets, patienceMs })
    gateway.start()
    await gateway.connected()
  })
  afterAll(async () => {
    await gateway.stop()
    await platform.close()
  })

  const messages = () => gateway.taken.filter((event): event is InboundMessage => event.type === 'message')
  async function heard(text: string): Promise<InboundMessage> {
    await until(`"${text}"`, () => messages().some((one) => one.text === text))
    const found = messages().find((one) => one.text === text)
    if (!found) throw new Error('It is gone.')
    return found
  }
  const message = (chat: string, text: string, format: 'plain' | 'markdown' = 'plain') => ({
    key: crypto.randomUUID(),
    chat,
    thread: null,
    text,
    format,
    buttons: [],
    file: null,
  })

  it('keeps its keys over a restart, and shows none of them in what it keeps', async () => {
    const { people, chats, homeserver } = platform
    await platform.says(people.ana, chats.ana, 'before the restart')
    await heard('before the restart')
    const uploads = () =>
      homeserver.asked.filter(({ body }) => JSON.stringify(body).includes('device_keys":{"al'))
    const before = uploads().length
    await gateway.stop()
    await platform.says(people.ana, chats.ana, 'during the restart')
    gateway.start()
    await heard('during the restart')
    expect((await gateway.send(message(chats.ana.id, 'still the same'))).kind).toBe('sent')
    await until('it to be read', () =>
      platform.shown(chats.ana).some(({ text }) => text === 'still the same'),
    )
    expect(uploads().length).toBe(before)
    // What a key looks like, open and in base64.
    const shows = (secret: string) => gateway.state?.includes(secret)
    expect(
      [platform.secrets['accessToken'] ?? '', 'signing_key', 'c2lnbmluZ19rZXk', 'before the restart'].filter(
        shows,
      ),
    ).toEqual([])
    expect(shows('ciphertext')).toBe(true)
  })

  it('signs its device as the owner, once', async () => {
    const { homeserver } = platform
    const uploads = () =>
      homeserver.asked.filter(({ path }) => path.endsWith('/device_signing/upload')).length
    expect([homeserver.signatures(us), uploads()]).toEqual([2, 1])
    await gateway.stop()
    gateway.start()
    await gateway.connected()
    expect([homeserver.signatures(us), uploads()]).toEqual([2, 1])
  })

  it('sends nothing in the open to an encrypted room, not even its name', async () => {
    const { chats, homeserver } = platform
    const sent = homeserver.asked.filter(({ path }) => path.includes(encodeURIComponent(chats.ana.id)))
    const told = sent.filter(({ method, path }) => method === 'PUT' && path.includes('/send/'))
    expect(told.length).toBeGreaterThan(0)
    for (const { path } of told) expect(path).toContain('/send/m.room.encrypted/')
    expect(JSON.stringify(told)).not.toContain('still the same')
  })

  it('hands over what it could not read when the key comes', async () => {
    const { people, chats, homeserver } = platform
    homeserver.holdsKeys = true
    // Somebody new comes, so that the next message has a new key.
    homeserver.append(chats.ben.id, people.ben.id, 'm.room.topic', { topic: 'x' }, { state_key: '' })
    await gateway.stop()
    await platform.says(people.ben, chats.ben, 'locked')
    gateway.start()
    await gateway.connected()
    await platform.says(people.ana, chats.group, 'in the open', { addressed: true })
    await heard('in the open')
    expect(messages().some(({ text }) => text === 'locked')).toBe(false)
    homeserver.releaseKeys()
    await heard('locked')
  })

  it('is read by whoever was handed a key when it died', async () => {
    const { people, homeserver } = platform
    const room = '!fresh:example.org'
    homeserver.addRoom(
      room,
      [people.ana.id, us],
      [['m.room.encryption', { algorithm: 'm.megolm.v1.aes-sha2' }]],
    )
    const membership = (standing: string) =>
      homeserver.append(
        room,
        people.ben.id,
        'm.room.member',
        { membership: standing },
        { state_key: people.ben.id },
      )
    membership('join')
    expect((await gateway.send(message(room, 'to both'))).kind).toBe('sent')
    // Whoever left reads nothing more, so the next message has a new key.
    membership('leave')
    await platform.sends(people.ana, room, { msgtype: 'm.text', body: 'he is gone' })
    await heard('he is gone')
    const { onInbox } = homeserver
    let died: Promise<void> | undefined
    homeserver.onInbox = (user) => {
      if (user === people.ana.id) died ??= gateway.die()
      onInbox(user)
    }
    const again = message(room, 'once more')
    await gateway.send(again)
    await died
    homeserver.onInbox = onInbox
    gateway.start()
    await gateway.connected()
    expect((await gateway.send(again)).kind).toBe('sent')
    const shown = () => platform.shown({ id: room, kind: 'private' }).map(({ text }) => text)
    await until('both to be shown', () => shown().length > 1)
    expect(shown()).toEqual(['to both', 'once more'])
  })

  it('believes in no sender of an open message where everybody encrypts', async () => {
    const { people, chats, homeserver } = platform
    homeserver.append(chats.ana.id, people.ana.id, 'm.room.message', { msgtype: 'm.text', body: 'trust me' })
    expect((await heard('trust me')).sender.proven).toBe(false)
    await platform.says(people.ana, chats.ana, 'it is me')
    expect((await heard('it is me')).sender.proven).toBe(true)
  })

  it('comes to a direct chat and to a listed room, and to no other', async () => {
    const { people, homeserver } = platform
    for (const [room, isDirect] of [
      ['!direct:example.org', true],
      ['!listed:example.org', false],
      ['!other:example.org', false],
    ] as const) {
      homeserver.addRoom(room, [people.ana.id])
      homeserver.invite(room, people.ana.id, us, isDirect)
    }
    const isIn = (room: string) => homeserver.members(room).includes(us)
    await until('it to come', () => isIn('!direct:example.org') && isIn('!listed:example.org'))
    await platform.sends(people.ana, '!direct:example.org', { msgtype: 'm.text', body: 'hello there' })
    expect((await heard('hello there')).chat).toMatchObject({ id: '!direct:example.org', kind: 'private' })
    expect(isIn('!other:example.org')).toBe(false)
  })

  it('is in a group as soon as a third person is invited', async () => {
    const { people, homeserver } = platform
    homeserver.invite('!direct:example.org', people.ana.id, people.ben.id, false)
    await platform.sends(people.ana, '!direct:example.org', { msgtype: 'm.text', body: 'three of us' })
    expect(await heard('three of us')).toMatchObject({ chat: { kind: 'group' }, addressed: false })
  })

  it.each([
    ['whoever wants may come in', 'm.room.join_rules', { join_rule: 'public' }],
    ['all of another room may come in', 'm.room.join_rules', { join_rule: 'restricted', allow: [] }],
    ['whoever wants may read', 'm.room.history_visibility', { history_visibility: 'world_readable' }],
  ])(
    'is in a group where %s, and is sent nothing there that is for one person',
    async (what, type, content) => {
      const { people, homeserver } = platform
      const room = `!${type}.${'join_rule' in content ? content.join_rule : 'read'}:example.org`
      homeserver.addRoom(room, [people.ana.id, us])
      await platform.sends(people.ana, room, { msgtype: 'm.text', body: `before ${what}` })
      expect((await heard(`before ${what}`)).chat.kind).toBe('private')
      expect((await gateway.send({ ...message(room, 'for Ana'), alone: true })).kind).toBe('sent')
      homeserver.append(room, people.ana.id, type, content, { state_key: '' })
      // The homeserver is asked, whatever we heard of it yet.
      expect((await gateway.send({ ...message(room, 'for Ana'), alone: true })).kind).toBe('refused')
      expect((await gateway.send(message(room, 'for all'))).kind).toBe('sent')
      await platform.sends(people.ana, room, { msgtype: 'm.text', body: `after ${what}` })
      expect((await heard(`after ${what}`)).chat.kind).toBe('group')
    },
  )

  it('asks for what the homeserver left out', async () => {
    const { people, chats } = platform
    await gateway.stop()
    const words = Array.from({ length: 120 }, (_, index) => `many ${index}`)
    for (const word of words)
      await platform.sends(people.ana, chats.group.id, { msgtype: 'm.text', body: word })
    gateway.start()
    await heard('many 119')
    expect(messages().flatMap(({ text }) => (text.startsWith('many') ? [text] : []))).toEqual(words)
  })

  it('hears no change of what somebody else wrote', async () => {
    const { people, chats } = platform
    const id = await platform.says(people.ana, chats.group, 'by Ana', { addressed: true })
    await platform.edits?.(people.ben, chats.group, id, 'forged')
    await platform.says(people.ben, chats.group, 'after it', { addressed: true })
    await heard('after it')
    expect(JSON.stringify(gateway.taken)).not.toContain('forged')
  })

  it('leaves out the quote and its own name, and hears old clients who name it', async () => {
    const { people, chats } = platform
    await platform.sends(people.ana, chats.group.id, {
      msgtype: 'm.text',
      body: `> <@ben:example.org> what\n> was said\n\n${us}: an old answer`,
      'm.relates_to': { 'm.in_reply_to': { event_id: '$nobody_knows' } },
    })
    expect((await heard('an old answer')).addressed).toBe(true)
  })

  it('gives no file that was changed on the way', async () => {
    const { people, chats, homeserver } = platform
    const file = { name: 'a.bin', bytes: new Uint8Array(100) }
    await platform.says(people.ana, chats.ana, 'a file', { file })
    const [brought] = (await heard('a file')).files
    for (const [address, bytes] of homeserver.media)
      homeserver.media.set(
        address,
        bytes.map((byte) => byte ^ 1),
      )
    expect((await gateway.fetch(brought?.ref ?? '', 1_000)).kind).toBe('failed')
  })

  it('lives on after events of any shape', async () => {
    const { people, chats, homeserver } = platform
    for (const content of [
      {},
      { msgtype: 1 },
      { msgtype: 'm.text', body: { a: 1 } },
      { msgtype: 'm.image', body: 'x', url: 'http://127.0.0.1:1/' },
    ])
      homeserver.append(chats.group.id, people.ana.id, 'm.room.message', content)
    homeserver.append(chats.ana.id, people.ana.id, 'm.room.encrypted', { algorithm: 'm.megolm.v1.aes-sha2' })
    homeserver.append(
      chats.group.id,
      people.ana.id,
      'm.room.member',
      { membership: 7, displayname: [] },
      { state_key: 'no id' },
    )
    await platform.says(people.ana, chats.group, 'after all that', { addressed: true })
    await heard('after all that')
  })
})

describe('Markdown on Matrix', () => {
  it('is HTML in which nothing of the text is markup', () => {
    expect(htmlOf('# <b>\n\n**bold** [x](https://a.example/?b="c) <script>')).toBe(
      '<h4>&lt;b&gt;</h4><p><strong>bold</strong> x (<a href="https://a.example/?b=&quot;c">https://a.example/?b=&quot;c</a>) &lt;script&gt;</p>',
    )
    expect(htmlOf('- one\n  - two\n```\n<i>\n```')).toBe(
      '<ul><li>one</li></ul><ul><li><ul><li>two</li></ul></li></ul><pre><code>&lt;i&gt;\n</code></pre>',
    )
  })
})
