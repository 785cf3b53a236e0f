import type { Resource } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { type CoveredCall, coversAt, isCovered, type Stop, stops } from './cover.ts'
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
const call = (resources: Resource[], argsHash = 'a'): CoveredCall => ({ tool: 't', argsHash, resources })
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

  it('is never made of a program', () => {
    expect(coversAt('target', call([exec]))).toBeNull()
    expect(coversAt('tool', call([exec]))).toBeNull()
  })

  it('says what it allows, where, how often, until when, and where it stops', () => {
    const covers = coversAt('place', call([url('a.example')])) ?? []
    expect(grantSentence('http_request', covers, { where: 'goal', uses: 50, minutes: 43_200 })).toBe(
      'http_request: look at any address of https://a.example:443 for this goal, up to 50 times, for 30 days; a task that has read untrusted content asks again',
    )
  })
})

describe('a suggestion', () => {
  const asked = (host: string, hash: string, agent = 'me', offered: readonly Stop[] = stops) => ({
    ...call([url(host)], hash),
    agent,
    stops: offered,
  })

  it('is the narrowest stop that answers two of what was approved', () => {
    expect(suggestGrants([asked('a.example', '1'), asked('a.example', '1')])).toMatchObject([
      { stop: 'call' },
    ])
    expect(suggestGrants([asked('a.example', '1'), asked('a.example', '2')])).toMatchObject([
      { stop: 'target', answers: 2 },
    ])
  })

  it('is not made for what no grant would have answered', () => {
    const twice = ['1', '2'].map((hash) => asked('a.example', hash, 'me', []))
    expect(suggestGrants(twice)).toEqual([])
  })

  it('is not made for one approval or for another agent', () => {
    expect(suggestGrants([asked('a.example', '1'), asked('b.example', '2')])).toEqual([])
    expect(suggestGrants([asked('a.example', '1'), asked('a.example', '2', 'other')])).toEqual([])
  })
})
