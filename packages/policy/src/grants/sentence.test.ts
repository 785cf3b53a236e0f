import { expect, it } from 'vitest'
import type { GrantCover } from './cover.ts'
import { coverWords, grantSentence } from './sentence.ts'

const site = { scheme: 'https', host: 'example.org', port: 443 }

it.each<[string, object]>([
  ['this exact call', { type: 'call', hash: '' }],
  ['read a.txt', { type: 'file', op: 'read', path: 'workspace:a.txt' }],
  ['read /etc/hosts on this computer', { type: 'file', op: 'read', path: 'host:/etc/hosts' }],
  ['create plain files in notes', { type: 'folder', op: 'create', path: 'workspace:notes' }],
  [
    'create or change plain files in the whole workspace',
    { type: 'folder', op: 'change', path: 'workspace:' },
  ],
  ['read in notes', { type: 'folder', op: 'read', path: 'workspace:notes' }],
  ['look at any address of https://example.org:443 with GET or HEAD', { type: 'host', ...site }],
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
  expect(grantSentence('fetch', [{ type: 'tool' }, { type: 'tool' }], { ...terms, untrusted: false })).toBe(
    `fetch: ${coverWords({ type: 'tool' })}, ${coverWords({ type: 'tool' })} ${words}; a task that has read untrusted content asks again`,
  )
})

const terms = { where: 'agent', uses: null, minutes: 43_200, untrusted: true } as const
const folder = (op: 'create' | 'change'): GrantCover => ({ type: 'folder', op, path: 'workspace:notes' })

it.each<[string, string, GrantCover]>([
  [
    'fetch: look at any address of https://example.org:443 with GET or HEAD for this agent, as often as needed, for 30 days; also in a task that has read untrusted content: short addresses without a query run, and example.org can then learn what that task knows',
    'fetch: jede Adresse von https://example.org:443 mit GET oder HEAD ansehen für diesen Agenten, so oft wie nötig, für 30 Tage; auch in einer Aufgabe, die Inhalte von Fremden gelesen hat: kurze Adressen ohne Abfrage laufen, und example.org kann dann erfahren, was diese Aufgabe weiß',
    { type: 'host', ...site },
  ],
  [
    'fetch: create plain files in notes for this agent, as often as needed, for 30 days; also in a task that has read untrusted content: strangers can then decide what new documents there say',
    'fetch: in notes einfache Dateien anlegen für diesen Agenten, so oft wie nötig, für 30 Tage; auch in einer Aufgabe, die Inhalte von Fremden gelesen hat: Fremde können dann bestimmen, was in neuen Dokumenten dort steht',
    folder('create'),
  ],
  [
    'fetch: create or change plain files in notes for this agent, as often as needed, for 30 days; also in a task that has read untrusted content: strangers can then replace what documents there say, which you can undo',
    'fetch: in notes einfache Dateien anlegen oder ändern für diesen Agenten, so oft wie nötig, für 30 Tage; auch in einer Aufgabe, die Inhalte von Fremden gelesen hat: Fremde können dann ersetzen, was in Dokumenten dort steht; das lässt sich rückgängig machen',
    folder('change'),
  ],
  [
    'fetch: this exact call for this agent, as often as needed, for 30 days; also in a task that has read untrusted content: it stays the same to the byte',
    'fetch: genau diesen Aufruf für diesen Agenten, so oft wie nötig, für 30 Tage; auch in einer Aufgabe, die Inhalte von Fremden gelesen hat: er bleibt aufs Byte derselbe',
    { type: 'call', hash: '' },
  ],
])('warns of what strangers can do with it: %s', (en, de, cover) => {
  expect(grantSentence('fetch', [cover], terms)).toBe(en)
  expect(grantSentence('fetch', [cover], terms, 'de')).toBe(de)
})

it('says in German as well where it stops', () => {
  expect(grantSentence('fetch', [{ type: 'tool' }], { ...terms, uses: 3, untrusted: false }, 'de')).toBe(
    'fetch: was es im Arbeitsordner berührt oder im Netz ansieht für diesen Agenten, bis zu 3-mal, für 30 Tage; eine Aufgabe, die Inhalte von Fremden gelesen hat, fragt wieder',
  )
})
