import type { Effect, Resource } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { type CoveredCall, coversAt, isCovered, type Stop, stops } from './cover.ts'
import type { GrantedAct } from './granted-act.ts'
import { grantSentence } from './sentence.ts'
import { suggestGrants } from './suggest.ts'

const url = (host: string, change: Partial<Extract<Resource, { type: 'url' }>> = {}): Resource => ({
  type: 'url',
  scheme: 'https',
  host,
  port: 443,
  method: 'GET',
  addressClass: 'name',
  redirects: 'same-host',
  carries: 'address',
  ...change,
})
const file = (path: string, root: 'workspace' | 'host' = 'workspace'): Resource => ({
  type: 'file',
  root,
  path,
  op: 'read',
  identity: 'absent',
  content: null,
})
const call = (resources: Resource[], argsHash = 'a', effects: Effect[] = []): CoveredCall => ({
  tool: 't',
  argsHash,
  resources,
  effects,
})
const exec = { type: 'exec', path: '/bin/sh' } as unknown as Resource

describe('a grant', () => {
  it('covers at every stop the call that it was made from', () => {
    for (const made of [call([url('a.example')]), call([file('a/x/y.txt'), file('a/x/z.txt')])])
      for (const stop of stops) expect(isCovered(coversAt(stop, made) ?? [], made), stop).toBe(true)
  })

  it.each([
    ['call', call([url('a.example')], 'b'), false],
    ['target', call([url('a.example')], 'b'), true],
    ['target', call([url('a.example', { method: 'HEAD' })]), false],
    ['place', call([url('a.example', { method: 'HEAD' })], 'b'), true],
    ['place', call([url('b.a.example')], 'b'), false],
    ['place', call([url('a.example', { port: 8443 })], 'b'), false],
    ['place', call([url('a.example'), url('b.example')], 'b'), false],
    ['tool', call([url('b.example')], 'b'), true],
    ['tool', call([exec], 'b'), false],
    ['tool', call([], 'b'), false],
  ] as const)('at the stop %s decides %# by what it names', (stop, other, covered) => {
    const covers = coversAt(stop, call([url('a.example')])) ?? []
    expect(isCovered(covers, other)).toBe(covered)
  })

  it('of a folder reaches below it and not beside it', () => {
    const covers = coversAt('place', call([file('books/2026/a.pdf')])) ?? []
    const holds = (path: string) => isCovered(covers, call([file(path)], 'b'))
    expect(holds('books/2026/b/c.pdf')).toBe(true)
    expect(holds('books/2026x/c.pdf')).toBe(false)
    expect(holds('books/a.pdf')).toBe(false)
  })

  it('of a file at the top of the workspace reaches everything in it', () => {
    const covers = coversAt('place', call([file('a.csv')])) ?? []
    expect(isCovered(covers, call([file('b.csv')], 'b'))).toBe(true)
    expect(isCovered(covers, call([file('deep/down/c.csv')], 'b'))).toBe(true)
  })

  it('reaches outside the workspace by single paths only', () => {
    const outside = call([file('/srv/data/a.csv', 'host')])
    expect(coversAt('target', outside)).not.toBeNull()
    expect(coversAt('place', outside)).toBeNull()
    expect(coversAt('tool', outside)).toBeNull()
    const wide = [...(coversAt('place', call([file('a.csv')])) ?? []), { type: 'tool' as const }]
    expect(isCovered(wide, outside)).toBe(false)
  })

  it('is made of plain looks only: words in headers or a body are not covered by an address', () => {
    for (const other of [url('a.example', { carries: 'more' }), url('a.example', { method: 'POST' })]) {
      for (const stop of stops) expect(coversAt(stop, call([other])), stop).toBeNull()
      for (const stop of ['target', 'place', 'tool'] as const)
        expect(isCovered(coversAt(stop, call([url('a.example')])) ?? [], call([other], 'b'))).toBe(false)
    }
  })

  const written = (path: string, there = false): Resource => ({
    ...(file(path) as Extract<Resource, { type: 'file' }>),
    op: 'write',
    identity: there ? { device: '1', inode: '2' } : 'absent',
  })
  const folder = (path: string, there = false) => coversAt('place', call([written(path, there)])) ?? []
  it('made of a new file lets new ones be created in its folder, and none be changed', () => {
    const covers = folder('notes/a.md')
    expect(covers).toEqual([{ type: 'folder', path: 'workspace:notes', op: 'create' }])
    expect(isCovered(covers, call([written('notes/deep/b.md')], 'b'))).toBe(true)
    expect(isCovered(covers, call([written('notes/b.md', true)], 'b'))).toBe(false)
    expect(isCovered(covers, call([file('notes/b.md')], 'b'))).toBe(false)
  })
  it('made of a changed file lets files of its folder be created and changed', () => {
    const covers = folder('notes/a.md', true)
    expect(isCovered(covers, call([written('notes/b.md', true)], 'b'))).toBe(true)
    expect(isCovered(covers, call([written('notes/b.md')], 'b'))).toBe(true)
  })
  it.each([
    'notes/.git/config',
    'notes/.hidden.md',
    'notes/AGENTS.md',
    'notes/agents.MD',
    'notes/CLAUDE.md',
    'notes/skills/a.md',
    'notes/hooks/a.md',
    'notes/Makefile',
    'notes/run',
    'notes/a.exe',
    'notes/../secret/a.md',
    'notes/ａｇｅｎｔｓ.md',
    'NOTES/a.md',
    'notes2/a.md',
    'notés/a.md',
  ])('of a folder never covers %s', (path) => {
    expect(isCovered(folder('notes/a.md', true), call([written(path)], 'b'))).toBe(false)
    const reads = coversAt('place', call([file('notes/a.md')])) ?? []
    if (path.includes('..')) expect(isCovered(reads, call([file(path)], 'b'))).toBe(false)
  })
  it('of a folder never covers what is deleted, and is not made of it', () => {
    const gone: Resource = {
      ...(written('notes/a.md', true) as Extract<Resource, { type: 'file' }>),
      op: 'delete',
    }
    expect(coversAt('place', call([gone]))).toBeNull()
    expect(isCovered(folder('notes/b.md', true), call([gone], 'b'))).toBe(false)
  })
  it('covers what programs of this computer run only to the byte or by its own path', () => {
    const runs: Effect = {
      verb: 'write',
      object: 'a',
      scope: 'host-run',
      reversible: true,
      outward: false,
      leaves: [],
    }
    const made = call([written('notes/a.md')], 'a', [runs])
    expect(stops.filter((stop) => coversAt(stop, made) !== null)).toEqual(['call', 'target'])
    for (const stop of ['place', 'tool'] as const)
      expect(isCovered(coversAt(stop, call([written('notes/a.md')])) ?? [], made), stop).toBe(false)
  })
  it.each([
    url('a.example.'),
    url('a.example', { scheme: 'http', port: 80 }),
    url('a.example', { port: 444 }),
    url('xn--a-example-dja'),
    url('user@a.example'),
    url('evil.example'),
  ])('of a host covers no other: %#', (other) => {
    expect(isCovered(coversAt('place', call([url('a.example')])) ?? [], call([other], 'b'))).toBe(false)
  })
  it('is never made of a program', () => {
    expect(coversAt('target', call([exec]))).toBeNull()
    expect(coversAt('tool', call([exec]))).toBeNull()
  })

  it('says what it allows, where, how often, until when, and where it stops', () => {
    const covers = coversAt('place', call([url('a.example')])) ?? []
    expect(
      grantSentence('http_request', covers, { where: 'goal', uses: 50, minutes: 43_200, untrusted: false }),
    ).toBe(
      'http_request: look at any address of https://a.example:443 with GET or HEAD for this goal, up to 50 times, for 30 days; a task that has read untrusted content asks again',
    )
  })
})

describe('a suggestion', () => {
  const asked = (host: string, hash: string, agent = 'me', offered: readonly Stop[] = stops) => ({
    ...call([url(host)], hash),
    agent,
    stops: offered,
    untrustedStops: [] as readonly Stop[],
    act: null as GrantedAct | null,
  })

  const thrice = (...hashes: string[]) => hashes.map((hash) => asked('a.example', hash))
  it('is the narrowest stop that answers three of what was approved', () => {
    expect(suggestGrants(thrice('1', '1', '1'))).toMatchObject([{ stop: 'call', untrusted: false }])
    expect(suggestGrants(thrice('1', '2', '3'))).toMatchObject([{ stop: 'target', answers: 3 }])
  })
  it('is not made of two: that can be chance', () => {
    expect(suggestGrants(thrice('1', '1'))).toEqual([])
  })
  const read = (act: GrantedAct, hashes = ['1', '2', '3'], offered: readonly Stop[] = []) =>
    thrice(...hashes).map((one) => ({ ...one, stops: offered, untrustedStops: stops.slice(0, 3), act }))
  it('holds after untrusted content was read only where nothing less answers', () => {
    expect(suggestGrants(read('look'))).toMatchObject([{ stop: 'target', untrusted: true }])
    expect(suggestGrants(read('look', undefined, stops))).toMatchObject([
      { stop: 'target', untrusted: false },
    ])
  })
  it('never lets strangers change what is there', () => {
    expect(suggestGrants(read('create'))).toHaveLength(1)
    expect(suggestGrants(read('change'))).toEqual([])
  })

  it('is not made for what no grant would have answered', () => {
    const some = ['1', '2', '3'].map((hash) => asked('a.example', hash, 'me', []))
    expect(suggestGrants(some)).toEqual([])
  })

  it('is not made for one approval or for another agent', () => {
    expect(suggestGrants([...thrice('1', '2'), asked('b.example', '3')])).toEqual([])
    expect(suggestGrants([...thrice('1', '2'), asked('a.example', '3', 'other')])).toEqual([])
  })
})
