import { describe, expect, it } from 'vitest'
import { mentionedIn, plainText } from './plain-text.ts'

const names = { self: 'U0BOT', people: new Map([['U1', 'Ana']]) }

describe("Slack's markup", () => {
  it.each([
    ['<@U1> and <@U2> and <@U3|cara>', '@Ana and @U2 and @cara'],
    ['see <#C1|general> and <#C2>', 'see #general and #C2'],
    ['<!here> <!channel> <!subteam^S1|@team> <!date^1^{date}|today>', '@here @channel @team today'],
    ['<https://a.example>', 'https://a.example'],
    ['<https://evil.example|https://bank.example>', 'https://bank.example (https://evil.example)'],
    ['<http://a.example|a.example>', 'http://a.example'],
    ['<mailto:a@b.example|a@b.example>', 'a@b.example'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['<@U0BOT> hello', 'hello'],
    ['<@U0BOT>: hello', 'hello'],
    ['hello <@U0BOT> there', 'hello there'],
    ['<', '<'],
    ['<>', ''],
  ])('reads %s as what people see', (text, plain) => {
    expect(plainText(text, names)).toBe(plain)
  })

  it('looks up only so many names', () => {
    const text = Array.from({ length: 100 }, (_, index) => `<@U${index}>`).join('')
    expect(mentionedIn(text).length).toBe(10)
  })
})
