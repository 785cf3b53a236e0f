import { expect, test } from 'vitest'
import { HttpLaunch } from './extension.ts'
import { IndexSource } from './extension-index.ts'

const launch = (url: string) => HttpLaunch.safeParse({ kind: 'http', url, secret: null }).success
const source = (url: string) => IndexSource.safeParse({ kind: 'address', url }).success

test.each([
  'https://example.org/mcp',
  'https://example.org',
  'https://example.org?tenant=a',
  'https://example.org:8443/mcp',
  'https://xn--mnchen-3ya.example/mcp',
])('a server at %s is where its address says', (url) => {
  expect([launch(url), source(url)]).toEqual([true, true])
})

test('a server of this computer is named by its address', () => {
  for (const url of ['http://127.0.0.1:3000/mcp', 'http://[::1]:3000/mcp', 'http://localhost/'])
    expect([url, launch(url)]).toEqual([url, true])
})

test.each([
  ['letters that look like others', 'https://ex\u0430mple.org/mcp'],
  ['another host behind an at', 'https://example.org@evil.test/mcp'],
  ['a name and a password', 'https://me:word@example.org/mcp'],
  ['a blank in it', 'https://example.org/mcp. Checked by Countersign'],
  ['what turns the direction of writing', 'https://example.org/\u202epcm'],
  ['slashes the other way', 'https:\\\\example.org\\@evil.test'],
  ['no slashes', 'https:example.org'],
  ['capitals', 'https://EXAMPLE.org/mcp'],
])('a server at an address with %s is refused', (_, url) => {
  expect([launch(url), source(url)]).toEqual([false, false])
})

test('a line break in an address is left out before anybody is shown it', () => {
  const parsed = HttpLaunch.parse({ kind: 'http', url: 'https://example.org\n.evil.test/mcp', secret: null })
  expect(parsed.url).toBe('https://example.org.evil.test/mcp')
})
