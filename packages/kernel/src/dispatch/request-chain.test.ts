import { type ChainLink, idFrom, type Requester, type ToolFacts } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { catalogue as base } from '../testing/test-kernel.ts'
import type { CallRow } from './call-rows.ts'
import type { Ancestor } from './chain-names.ts'
import { chainThrough, linksAround } from './request-chain.ts'

const operator: Requester = { kind: 'operator', id: 'desk' }
const here = idFrom('run', '9')
const words = (links: readonly ChainLink[]) => links.map(({ kind, id }) => `${kind} ${id}`)
const run = (change: Partial<Ancestor> = {}): Ancestor => ({
  id: idFrom('run', '1'),
  agent: 'assistant',
  goal: null,
  schedule: null,
  about: null,
  kind: 'agent',
  key: 'message',
  session_id: idFrom('ses', '1'),
  origins: null,
  ...change,
})
const lineOf = (runs: readonly Ancestor[], requester = operator) => words(chainThrough(runs, requester, here))

describe('the line from whoever began the work', () => {
  it('begins with whoever asked and ends with the run, each named by its id', () => {
    expect(chainThrough([run()], { kind: 'peer', id: 'ana' }, here)).toEqual([
      { kind: 'peer', id: 'ana', name: 'ana' },
      { kind: 'agent', id: 'assistant', name: 'assistant' },
      { kind: 'run', id: 'run_9', name: 'run_9' },
    ])
    expect(lineOf([])).toEqual(['operator desk', 'run run_9'])
  })

  it('names what set a schedule off, by the message of the first run only', () => {
    const begun = run({ schedule: 'sch_1', key: 'tick' })
    expect(lineOf([begun, run({ schedule: 'sch_2', key: 'other' })])).toEqual([
      'operator desk',
      'trigger tick',
      'agent assistant',
      'run run_9',
    ])
    expect(lineOf([run(), begun])).not.toContain('trigger tick')
  })

  it('names each goal once, however many runs serve it, and a goal beside a record of the same id', () => {
    const runs = [run({ goal: 'g' }), run({ goal: 'g' }), run({ goal: 'h', about: 'h' })]
    expect(lineOf(runs)).toEqual([
      'operator desk',
      'goal g',
      'agent assistant',
      'goal h',
      'task h',
      'run run_9',
    ])
  })

  it.each([
    ['plan_1', ['plan plan_1']],
    ['task_1', ['task task_1']],
    ['my_plan_', ['task my_plan_']],
    ['my_occ_', ['task my_occ_']],
    ['my_feed_', ['task my_feed_']],
    ['occ_1', []],
    ['feed_1', []],
  ])('says by the id of the record that a run is done for what it is: %s', (about, links) => {
    expect(lineOf([run({ about })])).toEqual(['operator desk', ...links, 'agent assistant', 'run run_9'])
  })

  it('names an agent again only when another one worked in between', () => {
    const agents = ['a', 'a', 'b', 'a'].map((agent) => run({ agent }))
    expect(lineOf(agents)).toEqual(['operator desk', 'agent a', 'agent b', 'agent a', 'run run_9'])
    const served = [run({ agent: 'a' }), run({ agent: 'a', goal: 'g' })]
    expect(lineOf(served)).toEqual(['operator desk', 'agent a', 'goal g', 'run run_9'])
  })

  it('says that the operator acts by hand or takes something back, in place of an agent', () => {
    expect(chainThrough([run({ kind: 'undo' })], operator, here)[1]).toEqual({
      kind: 'undo',
      id: 'run_1',
      name: '',
    })
    expect(lineOf([run({ kind: 'direct' })])).toEqual(['operator desk', 'manual run_1', 'run run_9'])
    expect(lineOf([run({ kind: 'unasked' })])).toEqual(['operator desk', 'held run_1', 'run run_9'])
  })
})

const program = { ...(base.find('program') as ToolFacts), name: 'program' }
const catalogue = {
  ...base,
  find: (name: string) => (name === 'other-hidden' ? { ...program, name } : base.find(name)),
}
const worker = (agent: string) => ({ catalogue, work: { agent } as never })
const assistant = worker('assistant')
const row = (id: string, change: Partial<CallRow> = {}) =>
  ({
    id,
    parent_id: null,
    tool: 'look',
    args: '{}',
    model_id: `model-${id}`,
    requester: null,
    edited_from: null,
    ...change,
  }) as CallRow
const linksOf = (call: CallRow, known: readonly CallRow[] = [], caller = assistant) =>
  words(linksAround(call, known, caller))

describe('what stands between the run and the tool', () => {
  it('is nothing for a call that a model made by itself', () => {
    expect(linksOf(row('a'))).toEqual([])
  })

  it('is the step of a plan, named by the outermost call', () => {
    const known = [row('out', { tool: 'batch', args: '' }), row('mid', { parent_id: 'out' as never })]
    expect(linksOf(row('a'), [], worker('plan'))).toEqual(['step model-a'])
    expect(linksOf(row('a', { parent_id: 'mid' as never }), known, worker('plan'))).toEqual([
      'step model-out',
      'batch batch',
    ])
  })

  it('is every batch around it, the outermost first, and those alone', () => {
    const known = [
      row('other', { tool: 'other', args: '' }),
      row('out', { tool: 'outer', args: '' }),
      row('mid', { tool: 'inner', args: '', parent_id: 'out' as never }),
    ]
    expect(linksOf(row('a', { parent_id: 'mid' as never }), known)).toEqual(['batch outer', 'batch inner'])
  })

  it('goes on without a call around it that is not known', () => {
    expect(linksOf(row('a', { parent_id: 'gone' as never }))).toEqual([])
  })

  it('is whoever made the tool that asks', () => {
    expect(linksOf(row('a', { requester: { kind: 'peer', id: 'ana' } }))).toEqual(['peer ana'])
  })

  it('is the made tool whose program runs or asks', () => {
    const made = row('p', { tool: 'program', args: '{"name":"made"}' })
    expect(linksOf(made)).toEqual(['custom made'])
    expect(linksOf(row('a', { parent_id: 'p' as never }), [made])).toEqual(['custom made'])
  })

  it('is no made tool where the call only says so', () => {
    expect(linksOf(row('a', { tool: 'look', args: '{"name":"made"}' }))).toEqual([])
    expect(linksOf(row('a', { tool: 'nothing', args: '{"name":"made"}' }))).toEqual([])
    expect(linksOf(row('a', { tool: 'other-hidden', args: '{"name":"look"}' }))).toEqual([])
    expect(linksOf(row('a', { tool: 'other-hidden', args: '{"name":7}' }))).toEqual([])
    expect(linksOf(row('a', { tool: 'other-hidden', args: '{}' }))).toEqual([])
  })

  it('is the request that the operator changed, after all else', () => {
    const changed = row('a', { edited_from: idFrom('apr', '1'), requester: { kind: 'peer', id: 'ana' } })
    expect(linksOf(changed)).toEqual(['peer ana', 'edit apr_1'])
  })

  it('shows names without characters that deceive', () => {
    const [link] = linksAround(row('a', { requester: { kind: 'peer', id: 'a\u202eb' } }), [], assistant)
    expect(link?.id).toBe('a\u202eb')
    expect(link?.name).not.toContain('\u202e')
  })
})
