import { expect, it } from 'vitest'
import type { GrantCover } from './cover.ts'
import { coverWords, grantSentence } from './sentence.ts'

const site = { scheme: 'https', host: 'example.org', port: 443 }

it.each<[string, object]>([
  ['this exact call', { type: 'call', hash: '' }],
  ['read a.txt', { type: 'file', op: 'read', path: 'workspace:a.txt' }],
  ['read /etc/hosts on this computer', { type: 'file', op: 'read', path: 'host:/etc/hosts' }],
  ['write in notes', { type: 'folder', op: 'write', path: 'workspace:notes' }],
  ['write in the whole workspace', { type: 'folder', op: 'write', path: 'workspace:' }],
  ['look at any address of https://example.org:443', { type: 'host', ...site }],
  ['look at any address of https://example.org:443 with GET', { type: 'url', method: 'GET', ...site }],
  ['whatever it touches in the workspace or looks at on the network', { type: 'tool' }],
])('says %s', (words, cover) => {
  expect(coverWords(cover as GrantCover)).toBe(words)
})

it.each([
  ['in this run, up to 2 times, for 30 minutes', { where: 'run', uses: 2, minutes: 30 }],
  ['in this session, up to 20 times, for a day', { where: 'session', uses: 20, minutes: 1440 }],
  ['for this goal, as often as needed, for 2 days', { where: 'goal', uses: null, minutes: 2880 }],
  ['for this agent, as often as needed, for 1500 minutes', { where: 'agent', uses: null, minutes: 1500 }],
  ['anywhere, as often as needed, for a day', { where: 'everywhere', uses: null, minutes: 1440 }],
] as const)('says that it holds %s', (words, terms) => {
  expect(grantSentence('fetch', [{ type: 'tool' }, { type: 'tool' }], terms)).toBe(
    `fetch: ${coverWords({ type: 'tool' })}, ${coverWords({ type: 'tool' })} ${words}; a task that has read untrusted content asks again`,
  )
})
