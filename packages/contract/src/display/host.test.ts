import { describe, expect, test } from 'vitest'
import { displayHost } from './host.ts'

describe('displayHost', () => {
  test('shows a plain host once and without a flag', () => {
    for (const host of [
      'example.org',
      'a-b.example',
      'localhost',
      '127.0.0.1',
      '[::1]',
      '_dmarc.example.org',
    ]) {
      expect(displayHost(host)).toEqual({ text: host, unicode: host, punycode: host, flags: [] })
    }
  })

  test('shows both forms of an international host', () => {
    for (const [host, unicode] of [
      ['xn--mnchen-3ya.de', 'münchen.de'],
      ['XN--MNCHEN-3YA.de', 'MüNCHEN.de'],
      ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
      ['xn--fiqs8s', '中国'],
      ['xn--r8jz45g.jp', '例え.jp'],
      ['xn--mgbh0fb.example', 'مثال.example'],
      ['xn--hxajbheg2az3al.example', 'παράδειγμα.example'],
    ] as const) {
      expect(displayHost(host)).toEqual({
        text: `${unicode} (${host})`,
        unicode,
        punycode: host,
        flags: [],
      })
    }
  })

  test('flags a label that mixes scripts', () => {
    expect(displayHost('xn--pypal-4ve.com')).toMatchObject({
      unicode: 'p⟨U+0430⟩ypal.com',
      flags: ['homoglyph'],
    })
  })

  test('flags a label of one script whose every letter looks Latin', () => {
    expect(displayHost('xn--80ak6aa92e.com')).toMatchObject({
      unicode: '⟨U+0430⟩⟨U+0440⟩⟨U+0440⟩⟨U+04CF⟩⟨U+0435⟩.com',
      flags: ['homoglyph'],
    })
  })

  test('flags a label that does not decode or did not need encoding', () => {
    expect(displayHost('xn--zzzz.com')).toMatchObject({ text: 'xn--zzzz.com', flags: ['homoglyph'] })
    expect(displayHost('xn--abc-.com')).toMatchObject({ text: 'xn--abc-.com', flags: ['homoglyph'] })
  })

  test('flags a label that holds what only looks like punctuation', () => {
    expect(displayHost('xn--examplepath-0h8f.test')).toMatchObject({
      unicode: 'example⟨U+2215⟩path.test',
      flags: ['homoglyph'],
    })
  })

  test('escapes what would disturb the line, in either form', () => {
    expect(displayHost('evil\u202e.com')).toMatchObject({
      text: 'evil⟨U+202E⟩.com',
      flags: ['bidi', 'homoglyph'],
    })
    const hidden = displayHost('xn--ab-g1t.com')
    expect(hidden).toMatchObject({ unicode: 'a⟨U+200B⟩b.com', flags: ['zero-width', 'homoglyph'] })
  })
})
