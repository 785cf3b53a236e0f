import type { ApprovalView } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { filtered, grouped, mayBeBatched, tasksOf } from './groups.ts'

const approval = (
  id: string,
  url: string,
  change: { tier?: number; run?: string; session?: string; rule?: string } = {},
) =>
  ({
    id,
    run: change.run ?? 'run_1',
    session: change.session ?? 'ses_1',
    card: {
      tier: change.tier ?? 2,
      tool: 'http_request',
      args: '{}',
      chain: [],
      preview: { kind: 'http', method: 'GET', url, headers: [], body: '' },
      effects: [],
      why: { reason: '', rules: [{ id: change.rule ?? 'egress' }], raised: [] },
    },
  }) as unknown as ApprovalView

const ids = (groups: ReturnType<typeof grouped>) => groups.map((group) => group.approvals.map(({ id }) => id))

describe('the inbox', () => {
  it('shows requests of one run for one host by one rule as one row', () => {
    const many = ['a', 'b', 'c'].map((id) => approval(id, `https://docs.example/${id}`))
    expect(ids(grouped(many))).toEqual([['a', 'b', 'c']])
  })

  it.each([
    ['another host', approval('b', 'https://other.example/')],
    ['another run', approval('b', 'https://docs.example/', { run: 'run_2' })],
    ['another rule', approval('b', 'https://docs.example/', { rule: 'other' })],
    ['another tier', approval('b', 'https://docs.example/', { tier: 3 })],
  ])('keeps %s apart', (_what, other) => {
    expect(ids(grouped([approval('a', 'https://docs.example/'), other]))).toEqual([['a'], ['b']])
  })

  it('keeps what one task asks together, each task in the place of its most urgent request', () => {
    const rows = grouped([
      approval('a', 'https://a.example/', { session: 'ses_1' }),
      approval('b', 'https://b.example/', { session: 'ses_2', run: 'run_2' }),
      approval('c', 'https://c.example/', { session: 'ses_1' }),
      approval('d', 'https://d.example/', { session: 'ses_2', run: 'run_3', tier: 4 }),
    ])
    expect(ids(rows)).toEqual([['a'], ['c'], ['b'], ['d']])
    expect(tasksOf(rows).map(({ session, groups }) => [session, groups.length])).toEqual([
      ['ses_1', 2],
      ['ses_2', 2],
    ])
  })

  it('never puts a critical request with another', () => {
    const two = ['a', 'b'].map((id) => approval(id, 'https://docs.example/', { tier: 4 }))
    expect(ids(grouped(two))).toEqual([['a'], ['b']])
    expect(mayBeBatched(two[0] as ApprovalView, new Set(['a', 'b']))).toBe(false)
  })

  it('decides outward requests together only when each was opened', () => {
    const outward = approval('a', 'https://docs.example/', { tier: 3 })
    expect(mayBeBatched(outward, new Set())).toBe(false)
    expect(mayBeBatched(outward, new Set(['a']))).toBe(true)
  })

  it('is filtered by tier, tool and run', () => {
    const all = [
      approval('a', 'https://a.example'),
      approval('b', 'https://b.example', { tier: 3, run: 'run_2' }),
    ]
    const left = (filter: Parameters<typeof filtered>[1]) => filtered(all, filter).map(({ id }) => id)
    expect(left({ tier: '3' })).toEqual(['b'])
    expect(left({ run: 'run_1' })).toEqual(['a'])
    expect(left({ tool: 'write_file' })).toEqual([])
  })
})
