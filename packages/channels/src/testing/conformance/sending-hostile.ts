/** Owns the cases about texts that would rather be something else: markup, a call to everybody, a line of the protocol. */
import type { Shown } from '../platform.ts'
import type { Case } from './case.ts'
import { expect } from './expect.ts'
import { bare, squeezed } from './scene.ts'

interface Hostile {
  readonly title: string
  readonly text: string
  /** What must be read of it, however it is rendered. */
  readonly words: readonly string[]
  /** It holds what no platform shows. */
  readonly changed?: boolean
}

const hostile: readonly Hostile[] = [
  {
    title: 'HTML',
    text: '<b>one</b> <a href="https://evil.example">bank</a> <script>alert(1)</script> <img src=x onerror=y>',
    words: ['one', 'bank', 'alert(1)'],
  },
  {
    title: 'mentions of everybody',
    text: '@everyone @here @channel @room @all <!channel> <!here> <!everyone>',
    words: ['everyone', 'here', 'channel', 'room'],
  },
  {
    title: 'mentions by id',
    text: '<@U12345678> <@123456789012345678> <#C1> <@&5> tg://user?id=1',
    words: [],
  },
  {
    title: 'links with hidden targets',
    text: '[https://bank.example](https://evil.example/x) <https://evil.example/y|bank>',
    words: ['bank.example', 'https://evil.example/x'],
  },
  {
    title: 'links to what is no page',
    text: '[tap](javascript:alert(1)) [call](tel:112) ![picture](https://evil.example/p.png)',
    words: ['tap', 'call'],
  },
  {
    title: 'marks that are never closed',
    text: '**open _also `tick ~~gone ||secret [a](b ![c](d <e &f; *** ___ ``` unclosed',
    words: ['open', 'also', 'tick', 'gone', 'secret', 'unclosed'],
  },
  {
    title: 'marks within marks',
    text: `${'*_'.repeat(200)} deep ${'>'.repeat(100)} [[[[x]]]]`,
    words: ['deep'],
  },
  {
    title: 'the ends of other texts',
    text: ']]> --> </message></body></html> \'; -- "}',
    words: ['/message'],
  },
  { title: 'commands', text: '/quit /me dances /start@bot !ban ana', words: ['/quit', 'dances'] },
  {
    title: 'control characters',
    text: 'a1\u0000b2\u0001c3\u0002d4\u0003e5\u0007f6\u001b[31mg7\u007fh8\u0085i9',
    words: ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7', 'h8', 'i9'],
    changed: true,
  },
  {
    title: 'lines of a protocol',
    text: 'one\r\nPRIVMSG ben :two\r\nQUIT :three\r\n.\r\nRCPT TO:<ben@example.com>\r\n\r\nfour',
    words: ['one', 'two', 'three', 'four'],
    changed: true,
  },
  {
    title: 'other ends of lines',
    text: 'one\u2028two\u2029three\u000bfour\u000cfive',
    words: ['one', 'five'],
    changed: true,
  },
  {
    title: 'halves of characters',
    text: 'one \ud800 two \udc00 three',
    words: ['one', 'two', 'three'],
    changed: true,
  },
  {
    title: 'letters that turn the text',
    text: '\u202Eone\u202C \u2066two\u2069 \u200Fthree',
    words: ['one', 'two', 'three'],
  },
]

/** Every control character but the end of a line and a tab. */
const control = /(?![\n\t])\p{Cc}/u

export function sendingHostile(test: Case): void {
  for (const format of ['plain', 'markdown'] as const)
    for (const { title, text, words, changed } of hostile)
      test(['send'], `shows ${title} as words in ${format}`, async (s) => {
        const elsewhere = s.platform.shown(s.chats.ben).length
        const word = s.word()
        // What begins a message is read as a command by some.
        const whole = `${text} ${word}`
        const arrived = await s.sends(s.chats.ana, whole, { format })
        for (const part of [word, ...words]) expect(bare(arrived.text)).toContain(bare(part))
        // Where it is too long for one message it may be cut within a word.
        const read = arrived.shown.length > 1 ? bare : squeezed
        if (format === 'plain' && !changed) expect(read(arrived.text)).toBe(read(whole))
        for (const shown of arrived.shown) harmless(shown)
        await s.stillSends()
        expect(s.platform.shown(s.chats.ben).length).toBe(elsewhere)
      })
}

function harmless(shown: Shown): void {
  expect(shown.text).not.toMatch(control)
  expect(shown.text.isWellFormed()).toBe(true)
  expect(shown.pings ?? []).toEqual([])
  for (const link of shown.links ?? []) {
    expect(link).toMatch(/^(https?|mailto):/)
    expect(shown.text).toContain(link)
  }
  expect(shown.buttons).toEqual([])
}
