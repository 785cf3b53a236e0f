/** Owns the cases about what we say. */
import type { Case } from './case.ts'
import { expect } from './expect.ts'
import { bare, squeezed } from './scene.ts'

export function sending(test: Case): void {
  texts(test)
  places(test)
  changes(test)
  buttons(test)
}

const exactTexts: readonly (readonly [string, (word: string) => string])[] = [
  ['plain words', (word) => `${word} and some plain words.`],
  ['letters of many scripts', (word) => `${word} čšž ñ ß Ω ж 漢字 한국어 עברית العربية ไทย`],
  ['emoji made of several', (word) => `${word} 👩‍👩‍👧‍👦 🏳️‍🌈 🇭🇷 👍🏽 😀`],
  ['markup as plain text', (word) => `${word} *a* _b_ __c__ ~d~ ~~e~~ \`f\` ||g|| ^h^ {i} =j= # k > l`],
  ['what looks like an escape', (word) => `${word} \\n \\* \\\\ %41 &amp; &lt; &#65; \${x} {0} %s`],
]

function texts(test: Case): void {
  for (const [title, compose] of exactTexts)
    test(['send'], `shows ${title} exactly`, async (s) => {
      const text = compose(s.word())
      expect((await s.sends(s.chats.ana, text)).text).toBe(text)
    })

  test(['send', 'newlines'], 'keeps lines and empty lines apart in what it sends', async (s) => {
    const text = `${s.word()}\nline two\n\nline four\n- a list`
    expect((await s.sends(s.chats.ana, text)).text).toBe(text)
  })

  test(['send'], 'renders markdown so that every word is read', async (s) => {
    const word = s.word()
    const markdown = `${word} **bold** and *leaning* and \`code\` and ~~gone~~ and [words](https://example.com/page)`
    const { text } = await s.sends(s.chats.ana, markdown, { format: 'markdown' })
    for (const part of [word, 'bold', 'leaning', 'code', 'gone', 'words', 'https://example.com/page'])
      expect(text).toContain(part)
    expect(text).not.toContain('](')
  })

  test(['send'], 'renders blocks of markdown so that every word is read', async (s) => {
    const word = s.word()
    const markdown = [
      `# ${word} title`,
      '- one\n- two\n  - three',
      '1. first\n2. second',
      '> said by somebody',
      '```ts\nconst a = "*x*" // <b>\n```',
      '| a1 | b1 |\n|---|---|\n| a2 | b2 |',
      'the end',
    ].join('\n\n')
    const { text } = await s.sends(s.chats.ana, markdown, { format: 'markdown' })
    const parts = ['title', 'one', 'three', 'second', 'said by somebody', 'a1', 'b2', 'the end']
    for (const part of [word, ...parts]) expect(text).toContain(part)
    expect(squeezed(text)).toContain('const a = "*x*" // <b>')
  })

  test(['send'], 'sends the longest text that is allowed', async (s) => {
    const text = filled(s.word(), 'abcdefghi ', s.manifest.text.most)
    expect(bare((await s.sends(s.chats.ana, text)).text)).toBe(bare(text))
  })

  test(['send'], 'sends the longest text of what must be escaped', async (s) => {
    const text = filled(s.word(), '<&*_`>[~|\\', s.manifest.text.most)
    expect(bare((await s.sends(s.chats.ana, text)).text)).toBe(bare(text))
  })

  test(['send'], 'sends the longest text of emoji', async (s) => {
    const size = s.manifest.text.unit === 'bytes' ? 2 : 1
    const text = filled(s.word(), '😀', Math.floor(s.manifest.text.most / size))
    expect(bare((await s.sends(s.chats.ana, text)).text)).toBe(bare(text))
  })
}

/** So long to the character, as far as whole parts go. */
function filled(word: string, part: string, most: number): string {
  return `${word} ${part.repeat(Math.floor((most - word.length - 1) / part.length))}`.trim()
}

function places(test: Case): void {
  test(['send', 'ids'], 'says the id under which it is shown, another each time', async (s) => {
    const one = await s.sends(s.chats.ana, s.word())
    const two = await s.sends(s.chats.ana, s.word())
    expect(one.shown.map(({ id }) => id)).toContain(one.message)
    expect(two.shown.map(({ id }) => id)).toContain(two.message)
    expect(one.message).not.toBe(two.message)
  })

  test(['send'], 'shows a message once, and only where it was sent', async (s) => {
    const word = s.word()
    const before = s.platform.shown(s.chats.ben).length
    const { shown } = await s.sends(s.chats.ana, word)
    await s.stillSends()
    expect(shown.length).toBe(1)
    expect(s.platform.shown(s.chats.ana).filter(({ text }) => text === word).length).toBe(1)
    expect(s.platform.shown(s.chats.ben).length).toBe(before)
  })

  test(['send'], 'shows what it sends in order within a chat', async (s) => {
    const before = s.platform.shown(s.chats.ana).length
    const words = Array.from({ length: 6 }, () => s.word())
    for (const word of words) expect((await s.gateway.send(s.message(s.chats.ana, word))).kind).toBe('sent')
    await s.until('all of them to be shown', () => s.platform.shown(s.chats.ana).length >= before + 6)
    expect(
      s.platform
        .shown(s.chats.ana)
        .slice(before)
        .map(({ text }) => text),
    ).toEqual(words)
  })

  test(['send'], 'sends to two chats at once', async (s) => {
    const [one, two] = [s.word(), s.word()]
    const [ana, ben] = await Promise.all([s.sends(s.chats.ana, one), s.sends(s.chats.ben, two)])
    expect([ana.text, ben.text]).toEqual([one, two])
  })

  test(['groups', 'send'], 'sends to a group', async (s) => {
    const word = s.word()
    expect((await s.sends(s.group, word)).text).toBe(word)
  })

  test(['threads', 'send'], 'answers in the thread', async (s) => {
    const word = s.word()
    const thread = s.platform.thread ?? ''
    const { shown } = await s.sends(s.group, word, { thread })
    expect(shown[0]).toMatchObject({ text: word, thread })
  })

  test(['nowhere', 'send'], 'does not say that it was sent to a chat that there is not', async (s) => {
    const chat = { id: s.platform.nowhere ?? '', kind: 'private' as const }
    expect((await s.gateway.send(s.message(chat, s.word()))).kind).toMatch(/^(refused|unknown)$/)
    await s.stillSends()
  })

  for (const id of ['', ' ', 'x\r\nPRIVMSG y :z', '../../x', '{"a":1}', '-', 'no such chat'.repeat(100)])
    test(['send'], `lives on after the chat ${JSON.stringify(id.slice(0, 20))}`, async (s) => {
      const before = s.platform.shown(s.chats.ben).length
      const result = await s.gateway.send(s.message({ id, kind: 'private' }, s.word()))
      if (id === '' || id.includes('\n')) expect(result.kind).toMatch(/^(refused|unknown)$/)
      await s.stillSends()
      expect(s.platform.shown(s.chats.ben).length).toBe(before)
    })

  test(['typing', 'send'], 'shows that it types without harm', async (s) => {
    s.gateway.typing(s.chats.ana.id, null)
    s.gateway.typing('no such chat', 'no such thread')
    await s.stillSends()
  })
}

function changes(test: Case): void {
  test(['edit', 'send'], 'puts a text in the place of another', async (s) => {
    const { message } = await s.sends(s.chats.ana, s.word())
    const count = s.platform.shown(s.chats.ana).length
    const text = `${s.word()} <b>changed</b> *so* 😀`
    expect((await s.gateway.edit(message, s.message(s.chats.ana, text))).kind).toBe('sent')
    const at = () => s.platform.shown(s.chats.ana).find(({ id }) => id === message)
    await s.until('the change to be shown', () => at()?.text === text)
    expect(at()?.edited).toBe(true)
    expect(s.platform.shown(s.chats.ana).length).toBe(count)
  })

  test(['edit', 'send'], 'takes the same change twice as one', async (s) => {
    const { message } = await s.sends(s.chats.ana, s.word())
    const change = s.message(s.chats.ana, s.word())
    expect((await s.gateway.edit(message, change)).kind).toBe('sent')
    expect((await s.gateway.edit(message, change)).kind).toBe('sent')
    expect(s.platform.shown(s.chats.ana).filter(({ text }) => text === change.text).length).toBe(1)
  })

  test(['edit', 'send'], 'does not say that it changed what is not there', async (s) => {
    const change = s.message(s.chats.ana, s.word())
    for (const message of ['', 'no such message', '999999999', 'a\r\nb'])
      expect((await s.gateway.edit(message, change)).kind).toMatch(/^(refused|unknown)$/)
    await s.stillSends()
  })

  test(['edit', 'send'], 'changes one message of several', async (s) => {
    const one = await s.sends(s.chats.ana, s.word())
    const kept = s.word()
    const two = await s.sends(s.chats.ana, kept)
    const text = s.word()
    expect((await s.gateway.edit(one.message, s.message(s.chats.ana, text))).kind).toBe('sent')
    const at = (wanted: string) => s.platform.shown(s.chats.ana).find(({ id }) => id === wanted)?.text
    await s.until('the change to be shown', () => at(one.message) === text)
    expect(at(two.message)).toBe(kept)
  })
}

const choice = [
  { label: 'Approve', data: 'approve' },
  { label: 'Deny <b>*now*</b> @everyone', data: 'x'.repeat(64) },
]

function buttons(test: Case): void {
  test(['buttons', 'send'], 'shows buttons with their labels', async (s) => {
    const word = s.word()
    const { shown } = await s.sends(s.chats.ana, word, { buttons: choice })
    expect(shown.map(({ text }) => text).join('')).toContain(word)
    expect(shown.flatMap((one) => one.buttons).map(({ label }) => label)).toEqual(
      choice.map(({ label }) => label),
    )
  })

  test(['buttons', 'send'], 'shows as many buttons as there may be', async (s) => {
    const many = Array.from({ length: 8 }, (_, index) => ({
      label: `${index} ${'x'.repeat(58)}`,
      data: `data-${index}`,
    }))
    const { shown } = await s.sends(s.chats.ana, s.word(), { buttons: many })
    expect(shown.flatMap((one) => one.buttons).length).toBe(8)
  })

  test(['buttons', 'edit', 'send'], 'takes the buttons away with a change', async (s) => {
    const { message } = await s.sends(s.chats.ana, s.word(), { buttons: choice })
    const text = s.word()
    expect((await s.gateway.edit(message, s.message(s.chats.ana, text))).kind).toBe('sent')
    const at = () => s.platform.shown(s.chats.ana).find(({ id }) => id === message)
    await s.until('the change to be shown', () => at()?.text === text)
    expect(at()?.buttons).toEqual([])
  })

  for (const { data } of choice)
    test(['presses', 'send'], `hears that ${data.slice(0, 10)} was pressed, and where`, async (s) => {
      const { message } = await s.sends(s.chats.ana, s.word(), { buttons: choice })
      const event = await s.next('pressed', async () =>
        s.platform.presses?.(s.ana, s.chats.ana, message, data),
      )
      expect(event).toMatchObject({ message, data, sender: { id: s.ana.id } })
      expect(event.chat).toMatchObject({ id: s.chats.ana.id, kind: 'private' })
      expect(event.sender.proven).toBe(s.manifest.proves === 'sender')
      s.gateway.pressed(event.id, 'Approved.')
      await s.stillSends()
    })

  test(['presses', 'send'], 'gives two presses two ids, and lives on when none is answered', async (s) => {
    const { message } = await s.sends(s.chats.ana, s.word(), { buttons: choice })
    const press = () =>
      s.next('pressed', async () => s.platform.presses?.(s.ana, s.chats.ana, message, 'approve'))
    expect((await press()).id).not.toBe((await press()).id)
    s.gateway.pressed('no such event', 'Approved.')
    await s.stillSends()
  })

  test(['presses', 'groups', 'send'], 'says who pressed a button in a group', async (s) => {
    const { message } = await s.sends(s.group, s.word(), { buttons: choice })
    const event = await s.next('pressed', async () =>
      s.platform.presses?.(s.ben, s.group, message, 'approve'),
    )
    expect(event).toMatchObject({ message, sender: { id: s.ben.id } })
    expect(event.chat).toMatchObject({ id: s.group.id, kind: 'group' })
  })
}
