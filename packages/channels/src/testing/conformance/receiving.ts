/** Owns the cases about what people say to us. */
import type { Person, TestChat } from '../platform.ts'
import type { Case } from './case.ts'
import { expect } from './expect.ts'
import { squeezed } from './scene.ts'

export function receiving(test: Case): void {
  what(test)
  from(test)
  inGroups(test)
  later(test)
}

const exactTexts: readonly (readonly [string, (word: string) => string])[] = [
  ['plain words', (word) => `${word} and some plain words.`],
  ['letters of many scripts', (word) => `${word} čšž ñ ß Ω ж 漢字 한국어 עברית العربية ไทย`],
  ['emoji made of several', (word) => `${word} 👩‍👩‍👧‍👦 🏳️‍🌈 🇭🇷 👍🏽 😀`],
  [
    'what would be markup',
    (word) => `${word} *a* _b_ ~c~ \`d\` <b>e</b> &amp; [f](https://g.example) |h| # i`,
  ],
  ['what would be an escape', (word) => `${word} \\n \\u0041 %41 %0A $HOME {0} \${x} "quoted" 'so'`],
  ['a thousand characters', (word) => `${word} ${'abcdefghi '.repeat(29)}end`],
]

function what(test: Case): void {
  for (const [title, compose] of exactTexts)
    test(['receive'], `takes ${title} exactly as written`, async (s) => {
      const text = compose(s.word())
      const { event } = await s.says(s.ana, s.chats.ana, text)
      expect(event.text).toBe(text)
    })

  test(['receive', 'newlines'], 'keeps lines and empty lines apart', async (s) => {
    const text = `${s.word()}\nline two\n\nline four\n- a list`
    const { event } = await s.says(s.ana, s.chats.ana, text)
    expect(event.text).toBe(text)
  })

  test(['receive'], 'lives on after a text that is far too long', async (s) => {
    const word = s.word()
    // The platform may not take it; then there is nothing to hear.
    await s.platform
      .says(s.ana, s.chats.ana, `${word} ${'long '.repeat(30_000)}`)
      .catch((problem: unknown) => problem)
    await s.stillHears()
    for (const event of s.withWord(word)) expect(event.text.length).toBeLessThanOrEqual(100_000)
  })

  test(['receive'], 'lives on after an empty text', async (s) => {
    await s.platform.says(s.ana, s.chats.ana, '').catch((problem: unknown) => problem)
    await s.platform.says(s.ana, s.chats.ana, ' ').catch((problem: unknown) => problem)
    await s.stillHears()
  })

  test(['receive'], 'lives on after control characters and halves of characters', async (s) => {
    for (const text of ['\u0000\u0001\u0002', '\u001b[31mred', '\ud800', '\u202Eback\u202C', '\r\r\r'])
      await s.platform.says(s.ana, s.chats.ana, `${s.word()}${text}`).catch((problem: unknown) => problem)
    await s.stillHears()
  })

  test(['receive', 'forwarded'], 'marks what somebody else wrote first', async (s) => {
    const word = s.word()
    const { event } = await s.says(s.ana, s.chats.ana, word, { forwarded: true })
    expect(event).toMatchObject({ forwarded: true, sender: { id: s.ana.id } })
    expect((await s.says(s.ana, s.chats.ana, s.word())).event.forwarded).toBe(false)
  })
}

const hostileNames: readonly (readonly [string, string])[] = [
  ['control characters', 'An\u0000a\u0007\u001b[31m\r\nPRIVMSG'],
  ['turned letters', '\u202Eana\u202C \u2066x\u2069'],
  ['ten thousand letters', 'ana'.repeat(3_400)],
  ['nothing', ''],
  ['markup', '<b>ana</b> @everyone *x*'],
]

function from(test: Case): void {
  test(['receive'], 'says who wrote, where, and when', async (s) => {
    const { event } = await s.says(s.ana, s.chats.ana, s.word())
    expect(event.sender).toMatchObject({ id: s.ana.id, bot: false })
    expect(event.chat).toMatchObject({ id: s.chats.ana.id, kind: 'private' })
    // In a private chat the name of what is answered may stand there.
    if (s.manifest.can.groups) expect(event.thread).toBeNull()
    expect(event.files).toEqual([])
    expect(new Date(event.at).getTime()).toBeGreaterThan(0)
  })

  test(['proof'], 'shows that the sender is who they are', async (s) => {
    const { event } = await s.says(s.ana, s.chats.ana, s.word())
    expect(event.sender.proven).toBe(true)
  })

  test(['receive'], 'tells two people apart', async (s) => {
    const ana = await s.says(s.ana, s.chats.ana, s.word())
    const ben = await s.says(s.ben, s.chats.ben, s.word())
    expect(ben.event.sender.id).toBe(s.ben.id)
    expect(ben.event.chat.id).toBe(s.chats.ben.id)
    expect(ana.event.sender.id).not.toBe(ben.event.sender.id)
    expect(ana.event.id).not.toBe(ben.event.id)
  })

  for (const [title, name] of hostileNames)
    test(['receive'], `knows a sender by the id whose name is ${title}`, async (s) => {
      const word = s.word()
      const said = await s.platform
        .says({ ...s.ana, name }, s.chats.ana, word)
        .catch((problem: unknown) => (problem instanceof Error ? problem : new Error(String(problem))))
      // A platform that refuses such a name has spared us of it.
      if (!(said instanceof Error)) expect((await s.arrival(word)).sender.id).toBe(s.ana.id)
      await s.stillHears()
    })

  test(['receive', 'send'], 'does not hear itself', async (s) => {
    const word = s.word()
    await s.sends(s.chats.ana, `${word} from us`)
    await s.stillHears()
    expect(s.withWord(word)).toEqual([])
  })

  test(['groups', 'send'], 'does not hear itself in a group', async (s) => {
    const word = s.word()
    await s.sends(s.group, `${word} from us`)
    await s.stillHears(s.group)
    expect(s.withWord(word)).toEqual([])
  })
}

function inGroups(test: Case): void {
  test(['groups'], 'hears who names it in a group', async (s) => {
    const word = s.word()
    const { event } = await s.says(s.ana, s.group, `${word} hello`, { addressed: true })
    expect(event).toMatchObject({ addressed: true, sender: { id: s.ana.id, bot: false } })
    expect(event.chat).toMatchObject({ id: s.group.id, kind: 'group' })
    expect(event.text).toContain(`${word} hello`)
  })

  test(['groups'], 'tells people in a group apart', async (s) => {
    const ana = await s.says(s.ana, s.group, s.word(), { addressed: true })
    const ben = await s.says(s.ben, s.group, s.word(), { addressed: true })
    expect([ana.event.sender.id, ben.event.sender.id]).toEqual([s.ana.id, s.ben.id])
    expect(ana.event.chat.id).toBe(ben.event.chat.id)
  })

  test(['groups'], 'is not addressed by what people say to each other', async (s) => {
    await unaddressed(s, (word) => s.platform.says(s.ana, s.group, `${word} what do you think?`))
  })

  test(['groups'], 'is not addressed by a word that its name is a part of', async (s) => {
    const { name } = s.account()
    await unaddressed(s, (word) => s.platform.says(s.ana, s.group, `${word} x${name}x x@${name}x`))
  })

  test(['answers', 'send'], 'is addressed by an answer to what it said', async (s) => {
    const { message } = await s.sends(s.group, s.word())
    const { event } = await s.says(s.ana, s.group, `${s.word()} yes`, { answers: message })
    expect(event.addressed).toBe(true)
    expect(squeezed(event.text)).toMatch(/^word\d+ yes$/)
  })

  test(['answers'], 'is not addressed by an answer to somebody else', async (s) => {
    const { id } = await s.says(s.ben, s.group, s.word(), { addressed: true })
    await unaddressed(s, (word) => s.platform.says(s.ana, s.group, word, { answers: id }))
  })

  test(['threads'], 'says in which thread it was', async (s) => {
    const thread = s.platform.thread ?? ''
    const { event } = await s.says(s.ana, s.group, s.word(), { addressed: true, thread })
    expect(event.thread).toBe(thread)
    const other = await s.says(s.ana, s.group, s.word(), { addressed: true })
    expect(other.event.thread).not.toBe(thread)
  })

  test(['bots'], 'says that a program wrote, or does not hear it', async (s) => {
    const word = s.word()
    const bot = s.platform.people.bot ?? s.ana
    await s.platform.says(bot, s.group, word, { addressed: true })
    await s.stillHears(s.group)
    for (const event of s.withWord(word)) expect(event.sender).toMatchObject({ id: bot.id, bot: true })
  })
}

type Scene = Parameters<Parameters<Case>[2]>[0]

/** Whoever does not hear it at all is not addressed either. */
async function unaddressed(s: Scene, say: (word: string) => Promise<unknown>): Promise<void> {
  const word = s.word()
  await say(word)
  await s.stillHears(s.group)
  for (const event of s.withWord(word)) expect(event.addressed).toBe(false)
}

function later(test: Case): void {
  test(['receive'], 'keeps the order within a chat', async (s) => {
    const words = await sayMany(s, s.ana, s.chats.ana, 12)
    await s.arrival(words.at(-1) ?? '')
    expect(heardOf(s, words)).toEqual(words)
  })

  test(['receive'], 'keeps the order of two chats that speak at once', async (s) => {
    const [ana, ben] = await Promise.all([
      sayMany(s, s.ana, s.chats.ana, 8),
      sayMany(s, s.ben, s.chats.ben, 8),
    ])
    await s.arrival(ana.at(-1) ?? '')
    await s.arrival(ben.at(-1) ?? '')
    expect(heardOf(s, ana)).toEqual(ana)
    expect(heardOf(s, ben)).toEqual(ben)
  })

  test(['receive'], 'takes the same words said twice as two messages', async (s) => {
    const word = s.word()
    const one = await s.says(s.ana, s.chats.ana, word)
    const two = await s.says(s.ana, s.chats.ana, word)
    expect(one.event.id).not.toBe(two.event.id)
  })

  test(['repeats'], 'gives what it is told again the same id', async (s) => {
    const words = await sayMany(s, s.ana, s.chats.ana, 3)
    await s.arrival(words.at(-1) ?? '')
    await s.platform.repeats?.()
    await s.stillHears()
    expect(heardOf(s, words)).toEqual(words)
  })

  test(['edits'], 'says what was changed, and into what', async (s) => {
    const { id, event } = await s.says(s.ana, s.chats.ana, s.word())
    const text = `${s.word()} changed 😀`
    const edited = await s.next('edited', async () => s.platform.edits?.(s.ana, s.chats.ana, id, text))
    expect(edited).toMatchObject({ message: event.id, text, sender: { id: s.ana.id } })
    expect(edited.chat.id).toBe(s.chats.ana.id)
    expect(edited.id).not.toBe(event.id)
  })

  test(['edits'], 'gives each of two changes its own id', async (s) => {
    const { id } = await s.says(s.ana, s.chats.ana, s.word())
    const change = () =>
      s.next('edited', async () => s.platform.edits?.(s.ana, s.chats.ana, id, `${s.word()} changed`))
    expect((await change()).id).not.toBe((await change()).id)
  })

  test(['deletes'], 'says what was taken back', async (s) => {
    const { id, event } = await s.says(s.ana, s.chats.ana, s.word())
    const deleted = await s.next('deleted', async () => s.platform.deletes?.(s.ana, s.chats.ana, id))
    expect(deleted).toMatchObject({ message: event.id })
    expect(deleted.chat.id).toBe(s.chats.ana.id)
  })
}

export async function sayMany(s: Scene, who: Person, chat: TestChat, count: number): Promise<string[]> {
  const words: string[] = []
  for (let index = 0; index < count; index += 1) {
    const word = s.word()
    words.push(word)
    await s.platform.says(who, chat, word)
  }
  return words
}

/** These words in the order in which they were taken, each as often as it was. */
export const heardOf = (s: Scene, words: readonly string[]): string[] =>
  s.gateway.taken.flatMap((event) =>
    event.type === 'message' && words.includes(event.text) ? [event.text] : [],
  )
