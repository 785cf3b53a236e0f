import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { growthOf, mostGrowth } from '../../../../../tests/harness/src/growth.ts'
import { encodings } from './encodings.ts'
import { createRedactor } from './redactor.ts'

const secret = 'p@ss "word"/1234 ü<&>'
const mark = '‹secret:mail›'

function redacting(value = secret) {
  const redactor = createRedactor()
  redactor.register('mail', value)
  return redactor
}

describe('the forms of a value', () => {
  const bytes = Buffer.from(secret)
  const everyByte = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const forms: Record<string, string> = {
    plain: secret,
    base64: bytes.toString('base64'),
    'base64 without padding': bytes.toString('base64').replace(/=+$/, ''),
    base64url: bytes.toString('base64url'),
    'base64 in a query': encodeURIComponent(bytes.toString('base64')),
    'base64 with escaped slashes': bytes.toString('base64').replaceAll('/', '\\/'),
    hex: bytes.toString('hex'),
    'upper case hex': bytes.toString('hex').toUpperCase(),
    'percent-encoded': encodeURIComponent(secret),
    'percent-encoded in lower case': encodeURIComponent(secret).replaceAll(/%../g, (code) =>
      code.toLowerCase(),
    ),
    'a form': new URLSearchParams({ '': secret }).toString().slice(1),
    'every byte percent-encoded': everyByte.toUpperCase(),
    'every byte percent-encoded in lower case': everyByte,
    'a JSON string': JSON.stringify(secret).slice(1, -1),
    'a JSON string with escaped slashes': JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
    'a JSON string in ASCII': JSON.stringify(secret).slice(1, -1).replaceAll('ü', '\\u00fc'),
    'JSON in JSON': JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    'JSON that HTML may hold': JSON.stringify(secret)
      .slice(1, -1)
      .replaceAll('<', '\\u003c')
      .replaceAll('>', '\\u003e')
      .replaceAll('&', '\\u0026'),
    HTML: secret
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;'),
  }

  test.each(Object.entries(forms))('%s is replaced, and the rest left alone', (_name, form) => {
    expect(redacting().text(`a ${form} b`)).toBe(`a ${mark} b`)
  })

  test.each(Object.keys(encodings))('%s has a form that no other encoding covers', (name) => {
    const others = Object.keys(encodings).filter((other) => other !== name) as (keyof typeof encodings)[]
    const without = createRedactor(others)
    without.register('mail', secret)
    const missed = encodings[name as keyof typeof encodings](secret).filter(
      ({ text }) => without.text(text) === text,
    )
    expect(missed.length).toBeGreaterThan(0)
  })
})

describe('a value of which some characters are escaped', () => {
  const thrice = JSON.stringify(JSON.stringify(JSON.stringify({ key: secret })))
  const entities = Array.from(secret, (character) => `&#${character.codePointAt(0)};`).join('')
  test.each([
    ['one byte percent-encoded', secret.replace('s', '%73')],
    ['what a browser makes of an address', new URL(`http://a.example/?${secret}`).search.slice(1)],
    ['upper and lower case mixed', encodeURIComponent(secret).replace('%C3', '%c3')],
    ['percent-encoded base64', encodeURIComponent(Buffer.from(`ana:${secret}`).toString('base64'))],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
    ['JSON that escapes more than it must', secret.replaceAll('"', '\\"').replace('s', '\\u0073')],
    ['JSON in JSON in JSON', thrice],
    ['JSON in an address', encodeURIComponent(JSON.stringify({ key: secret }))],
    ['numbered entities', entities],
  ])('is replaced: %s', (_what, form) => {
    const shown = redacting().text(`a ${form} b`)
    expect(shown).toContain(mark)
    expect(shown).not.toContain('1234')
    expect([shown.startsWith('a '), shown.endsWith(' b')]).toEqual([true, true])
  })

  test('leaves escapes alone that hold no secret', () => {
    const texts = [
      '100% & more; C:\\new\\table',
      '%',
      '%zz %4',
      '\\u12',
      '&amp;&#x1F511;&bogus;',
      '%F0%9F',
      '%ff%C3%28',
    ]
    for (const text of texts)
      expect(redacting().text(`${text} and nothing more`)).toBe(`${text} and nothing more`)
  })
})

describe('a value inside longer base64', () => {
  const random = (length: number) => randomBytes(length).toString('hex').slice(0, length)

  test.each(['base64', 'base64url'] as const)('is found wherever it begins and ends, in %s', (encoding) => {
    for (let length = 8; length < 30; length += 1) {
      for (let before = 0; before < 7; before += 1) {
        for (let after = 0; after < 4; after += 1) {
          const value = random(length)
          const around = { left: random(before), right: random(after) }
          const text = Buffer.from(`${around.left}${value}${around.right}`).toString(encoding)
          const shown = redacting(value).text(`Basic ${text} end`)
          expect(shown).toContain(mark)
          // What is left on either side says nothing of the value beyond its length.
          const left = shown.slice('Basic '.length, shown.indexOf(mark))
          const right = shown.slice(shown.indexOf(mark) + mark.length, -' end'.length)
          expect(Buffer.from(left, encoding).toString()).toBe(
            around.left.slice(0, Math.floor((left.length * 6) / 8)),
          )
          expect(right.length).toBeLessThanOrEqual(Math.ceil((after * 8) / 6) + 2)
        }
      }
    }
  })

  test('is not taken for a neighbour that differs in one bit at its edge', () => {
    for (let before = 0; before < 3; before += 1) {
      const value = 'aBcDeFgHiJ'
      const encoded = (inner: string) => Buffer.from(`${'x'.repeat(before)}${inner}yyy`).toString('base64')
      expect(redacting(value).text(encoded(value))).toContain(mark)
      for (const near of ['`BcDeFgHiJ', '!BcDeFgHiJ', 'aBcDeFgHiK', 'aBcDeFgHij', 'aBcDeFgHi'])
        expect(redacting(value).text(encoded(near))).toBe(encoded(near))
    }
  })
})

test('leaves what is only near', () => {
  const redactor = redacting()
  for (const near of [
    secret.slice(0, -1),
    secret.slice(1),
    secret.toUpperCase(),
    secret.replace('1', '2'),
    '',
  ])
    expect(redactor.text(near)).toBe(near)
})

test('reaches every string of a value, keys included, and keeps its shape', () => {
  expect(redacting().json({ [secret]: [secret, 1, null, { deep: `x${secret}` }] })).toEqual({
    [mark]: [mark, 1, null, { deep: `x${mark}` }],
  })
})

test('prefers the longer secret where one contains another, and marks both where they overlap', () => {
  const redactor = createRedactor()
  redactor.register('short', 'abcdefgh')
  redactor.register('long', 'abcdefghijkl')
  redactor.register('next', 'jklmnopqrst')
  expect(redactor.text('abcdefghijkl abcdefgh')).toBe('‹secret:long› ‹secret:short›')
  expect(redactor.text('abcdefghijklmnopqrst.')).toBe('‹secret:long›‹secret:next›.')
})

test('masks a value that follows itself, and one that overlaps itself', () => {
  const redactor = redacting('abcdabcd')
  expect(redactor.text('abcdabcdabcdabcd')).toBe(`${mark}${mark}`)
  expect(redactor.text('abcdabcdabcd')).toBe(`${mark}abcd`)
})

test('masks a rotated value as well as the new one', () => {
  const redactor = redacting('first-value-1')
  redactor.register('mail', 'second-value-2')
  expect(redactor.text('first-value-1 second-value-2')).toBe(`${mark} ${mark}`)
})

test('redacts what is redacted already to the same text', () => {
  const redactor = redacting()
  expect(redactor.text(redactor.text(`a ${secret} b`))).toBe(`a ${mark} b`)
})

test('refuses a value so short that it would mask ordinary text', () => {
  expect(() => createRedactor().register('pin', '1234567')).toThrow('too short')
})

describe('text in pieces', () => {
  const pieces = (text: string, size: number) =>
    Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))

  test('is masked wherever it is split, in every form', () => {
    const redactor = redacting()
    const forms = Object.values(encodings).flatMap((encoding) => encoding(secret).map(({ text }) => text))
    for (const form of [...forms, Buffer.from(`ana:${secret}`).toString('base64')]) {
      const text = `Before ${form} after`
      for (const size of [1, 2, 3, 5, 8, 13]) {
        const stream = redactor.open()
        const shown =
          pieces(text, size)
            .map((piece) => stream.push(piece))
            .join('') + stream.end()
        // Padding may come too late to be taken along.
        expect(shown.replaceAll(/=|%3D/gi, '')).toBe(redactor.text(text))
      }
    }
  })

  test('is held back only as long as it might become a secret', () => {
    const stream = redacting('abcdefgh').open()
    expect([stream.push('see abcd'), stream.push('. And'), stream.end()]).toEqual(['see', ' abcd. An', 'd'])
  })
})

describe('the work of two hundred secrets and a megabyte of text', () => {
  const withSecrets = (count: number) => {
    const redactor = createRedactor()
    for (let number = 0; number < count; number += 1)
      redactor.register(`key-${number}`, `ghp_${randomBytes(20).toString('base64url')}`)
    return redactor
  }
  const texts = [
    randomBytes(750_000).toString('base64'),
    randomBytes(500_000).toString('hex'),
    'The quick brown fox, {"id": 12, "url": "https://example.com"}\n'.repeat(16_000),
  ]

  test('is in proportion to the text', async () => {
    const redactor = withSecrets(200)
    for (const text of texts) {
      expect(redactor.text(text)).toBe(text)
      const growth = await growthOf(text.length / 8, (length) => text.slice(0, length), redactor.text)
      expect(growth).toBeLessThan(mostGrowth)
    }
  })

  test('is much less than that of looking for each of the secrets', async () => {
    for (const text of texts)
      expect(await growthOf(25, withSecrets, (redactor) => redactor.text(text))).toBeLessThan(4)
  })
})

describe('a value that is forgotten', () => {
  test('is masked no more, and the others still are', () => {
    const redactor = redacting()
    redactor.register('token', 'access-token-1')
    expect(redactor.text(`access-token-1 ${secret}`)).toBe(`‹secret:token› ${mark}`)
    redactor.forget('access-token-1')
    redactor.forget('never-known-1')
    expect(redactor.text(`access-token-1 ${secret}`)).toBe(`access-token-1 ${mark}`)
  })
})
