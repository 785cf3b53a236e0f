import type { FileResource, Resource } from '@countersign/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import type { CallFacts } from './facts.ts'
import { callOf, setOf } from './testing/calls.ts'

const rules = `
@id("diary") @why("the diary is never touched")
forbid (principal, action, resource in Category::"files")
when { context.folders.contains("home/diary") || context.paths.contains("home/diary") };
@id("letters") @why("letters ask")
forbid (principal, action, resource in Category::"files")
when { context.folders.containsAny(["letters", "post"]) } unless { context.approved };
@id("open") permit (principal, action, resource) when { context.folders.contains("open") };
`
const sets = {
  plain: setOf('medium'),
  ruled: setOf('medium', { name: 'mine.cedar', text: rules }),
  careful: setOf('none', { name: 'mine.cedar', text: rules }),
}
afterAll(() => {
  for (const set of Object.values(sets)) set.dispose()
})

const at = (path: string, op: FileResource['op'] = 'read'): Resource => ({
  type: 'file',
  root: 'workspace',
  path,
  op,
  identity: 'absent',
  content: null,
})
const files = (...resources: Resource[]): CallFacts => ({
  ...callOf('read'),
  tool: { name: 'search_files', category: 'files' },
  resources,
})
const byMeaning = (collection: string): CallFacts => ({
  ...callOf('read'),
  tool: { name: 'semantic_search', category: 'vectors' },
  resources: [{ type: 'record', collection, id: '*', op: 'list', version: null }],
})

test.each([
  ['home/diary/today.txt', 'deny'],
  ['home/diary', 'deny'],
  ['home', 'deny'],
  ['.', 'deny'],
  ['letters/ana.txt', 'ask'],
  ['post', 'ask'],
  ['other', 'allow'],
  ['home/other', 'allow'],
  ['homely', 'allow'],
] as const)('a search in %s: %s', (path, kind) => {
  expect(decide(files(at(path)), sets.ruled).kind).toBe(kind)
  expect(decide(files(at(path)), sets.plain).kind).toBe('allow')
})

test('a removal goes through a folder; a list of its names and a new file beside do not', () => {
  expect(decide(files(at('home', 'delete')), sets.ruled).kind).toBe('deny')
  expect(decide(files(at('home', 'list')), sets.ruled).kind).toBe('allow')
  expect(decide(files(at('.', 'list')), sets.ruled).kind).toBe('allow')
})

test('files that are found by meaning are searched, other collections are not', () => {
  expect(decide(byMeaning('files'), sets.ruled)).toMatchObject({ kind: 'deny', rules: [{ id: 'diary' }] })
  expect(decide(byMeaning('files'), sets.plain).kind).toBe('allow')
  expect(decide(byMeaning('notes'), sets.ruled).kind).toBe('allow')
})

describe('e-mails that are found by meaning', () => {
  const at = (server: string): Resource => ({
    type: 'record',
    collection: 'emails',
    id: 'work',
    op: 'list',
    version: null,
    server,
  })
  const search = (server: string): CallFacts => {
    const facts = byMeaning('emails')
    return { ...facts, resources: [...facts.resources, at(server)] }
  }
  test.each([
    ['resource == Tool::"read_email"', ''],
    ['resource == Tool::"search_emails"', ''],
    ['resource in Category::"mail"', 'when { context.hosts.contains("imap.work.example") }'],
    ['resource', 'when { context.methods.contains("IMAP") }'],
  ])('are searched by nobody who may not read them: %s %s', (resource, when) => {
    const text = `@id("mail") @why("no") forbid (principal, action, ${resource}) ${when};`
    const set = setOf('medium', { name: 'mine.cedar', text })
    expect(decide(search('imap.work.example'), set)).toMatchObject({ kind: 'deny', rules: [{ id: 'mail' }] })
    expect(decide(byMeaning('notes'), set).kind).toBe('allow')
    if (when.includes('hosts')) expect(decide(search('imap.home.example'), set).kind).toBe('allow')
    set.dispose()
  })
  test('are searched by others', () => {
    expect(decide(search('imap.work.example'), sets.plain).kind).toBe('allow')
  })
})

test('a place that a permit speaks of frees nothing', () => {
  expect(decide(files(at('open/a.txt')), sets.careful).kind).not.toBe('deny')
  expect(decide(files(at('.')), sets.careful).kind).toBe('deny')
  expect(decide(byMeaning('files'), sets.careful).kind).toBe('deny')
})

const git = (name: string, words: readonly string[], cwd = '.'): CallFacts => ({
  ...callOf('read'),
  tool: { name, category: 'git' },
  resources: [
    {
      type: 'exec',
      path: '/usr/bin/git',
      content: 'a',
      argv: ['git', '--no-pager', ...words],
      cwd,
      environment: 'b',
      uninspectable: false,
      view: null,
    },
  ],
})

test.each([
  ['git_diff', ['diff', '--'], '.', 'deny'],
  ['git_diff', ['diff', '--', 'home/diary/today.txt'], '.', 'deny'],
  ['git_diff', ['diff', '--', 'diary'], 'home', 'deny'],
  ['git_diff', ['diff', '--', 'other/../home/diary/today.txt'], '.', 'deny'],
  ['git_diff', ['diff', '--', '/work/home/diary/today.txt'], '.', 'deny'],
  ['git_diff', ['diff', '--'], 'home/diary', 'deny'],
  ['git_add', ['add', '--', 'home'], '.', 'deny'],
  ['git_checkout', ['checkout', '--quiet', 'HEAD', '--', 'letters/ana.txt'], '.', 'ask'],
  ['git_diff', ['diff', '--', 'home/other.txt', 'notes'], '.', 'allow'],
  ['git_diff', ['diff', '--'], 'other', 'allow'],
  ['git_add', ['write-tree'], '.', 'allow'],
  ['git_status', ['status', '--'], '.', 'allow'],
] as const)('%s %j in %s: %s', (name, words, cwd, kind) => {
  expect(decide(git(name, words, cwd), sets.ruled).kind).toBe(kind)
  expect(decide(git(name, words, cwd), sets.plain).kind).toBe('allow')
})
