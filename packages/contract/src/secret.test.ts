import { expect, test } from 'vitest'
import {
  Destination,
  holdsMark,
  SecretName,
  SecretValue,
  secretHandle,
  secretMark,
  secretsIn,
  withSecrets,
} from './index.ts'

test('finds the handles of a text, each once, and puts the values in', () => {
  const text = `${secretHandle('github')} {{secret:smtp.password}} ${secretHandle('github')}`
  expect(secretsIn(text)).toEqual(['github', 'smtp.password'])
  expect(withSecrets(text, (name) => `<${name}>`)).toBe('<github> <smtp.password> <github>')
})

test('leaves what only resembles a handle', () => {
  const near = [
    '{{secret:Github}}',
    '{{secret:}}',
    '{{secret:a.b.c}}',
    '{{secret:a.}}',
    '{secret:a}',
    '{{secret: a}}',
  ]
  for (const text of [...near, `{{secret:${'a'.repeat(65)}}}`]) {
    expect(secretsIn(text)).toEqual([])
    expect(withSecrets(text, () => 'value')).toBe(text)
  }
  expect(secretsIn(`{{secret:${'a'.repeat(64)}}}`)).toHaveLength(1)
})

test('a value cannot smuggle a handle in: what was put in is not read again', () => {
  expect(withSecrets('{{secret:a}}', () => '{{secret:b}} $& $1')).toBe('{{secret:b}} $& $1')
})

test('knows a mark, and takes no handle for one', () => {
  expect(holdsMark(`Bearer ${secretMark('github')}`)).toBe(true)
  expect(holdsMark(`Bearer ${secretHandle('github')}`)).toBe(false)
})

test('a name is lower case, with one dot at most, and 64 characters long at most', () => {
  for (const good of ['a', 'github', 'smtp.password', 'a_b-c2', 'a'.repeat(64)])
    expect(SecretName.safeParse(good).success).toBe(true)
  for (const bad of ['', 'A', '2fa', '.a', 'a.', 'a..b', 'a.b.c', 'a b', 'a\n', 'ä', 'a'.repeat(65)])
    expect({ bad, ok: SecretName.safeParse(bad).success }).toEqual({ bad, ok: false })
})

test('a destination is one exact place', () => {
  const at = (host: string, port = 443) => Destination.safeParse({ scheme: 'https', host, port }).success
  for (const host of [
    'api.github.com',
    'localhost',
    'xn--bcher-kva.example',
    '127.0.0.1',
    '::1',
    '2606:4700::1',
  ])
    expect({ host, ok: at(host) }).toEqual({ host, ok: true })
  const wrong = [
    '',
    '*',
    '*.github.com',
    '.github.com',
    'github.com.',
    'API.github.com',
    'bücher.example',
    'a..b',
    'a/b',
    'a@b',
    'a:80',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '127.0.0.01',
    'a b',
    'a%2eb',
    `${'a'.repeat(64)}.example`,
  ]
  for (const host of wrong) expect({ host, ok: at(host) }).toEqual({ host, ok: false })
  expect([at('a.example', 0), at('a.example', 65_536), at('a.example', 65_535)]).toEqual([false, false, true])
  expect(Destination.safeParse({ scheme: 'ftp', host: 'a.example', port: 21 }).success).toBe(false)
})

test('a value is long and varied enough to be masked without masking ordinary text', () => {
  for (const good of [
    'abcdefgh',
    'p@ss "word"',
    '-----BEGIN KEY-----\nabc\n',
    'ключ-от-двери',
    'x1y2'.repeat(16_384),
  ])
    expect(SecretValue.safeParse(good).success).toBe(true)
  for (const bad of [
    'abcdefg',
    '--------',
    'abcabcabc',
    'x1y2'.repeat(16_385),
    'abcdefg\ud800',
    '{{secret:github}}',
    'x ‹secret:a› y',
  ])
    expect({ bad: bad.slice(0, 20), ok: SecretValue.safeParse(bad).success }).toEqual({
      bad: bad.slice(0, 20),
      ok: false,
    })
})

test('a refusal never repeats the value', () => {
  const refused = SecretValue.safeParse('hunter2')
  expect(JSON.stringify(refused.error)).not.toContain('hunter2')
})
