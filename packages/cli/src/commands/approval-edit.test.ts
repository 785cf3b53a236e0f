import type { ApprovalDetail, Decision } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { painter } from '../output/colour.ts'
import { type CommandBench, openCommandBench } from '../testing/command.ts'
import { approvalDetail, newId } from '../testing/records.ts'
import { changesText, withArguments, withSettings } from './approval-arguments.ts'

const now = '2026-08-01T12:00:00.000Z'
const schema = {
  type: 'object',
  properties: {
    to: { type: 'string' },
    count: { type: 'integer' },
    urgent: { type: 'boolean' },
    tags: { type: 'array' },
  },
}
const args = '{"count":2,"to":"ana"}'

describe('arguments that are changed', () => {
  it('are read as what the tool says that they are', () => {
    const made = withSettings({ args, schema }, ['to=12', 'count=3', 'urgent=true', 'tags=["a=b"]'])
    expect(made).toMatchObject({
      kind: 'args',
      after: { to: '12', count: 3, urgent: true, tags: ['a=b'] },
    })
  })

  it('keep what was not named, and may be empty', () => {
    expect(withSettings({ args, schema }, ['to='])).toMatchObject({ after: { count: 2, to: '' } })
  })

  it.each([
    ['no name', 'to', 'is not name=value'],
    ['a name that the tool does not take', 'cc=bob', 'It takes: to, count, urgent, tags.'],
    ['a number that is none', 'count=many', 'count is a number'],
    ['a flag that is none', 'urgent=yes', 'urgent is true or false'],
    ['a list that is no JSON', 'tags=a', 'tags is JSON'],
  ])('are refused with %s', (_words, setting, problem) => {
    expect(withSettings({ args, schema }, [setting])).toMatchObject({
      kind: 'problem',
      problem: expect.stringContaining(problem),
    })
  })

  it('are refused as a whole when they are no object', () => {
    expect(withArguments({ args }, '[]')).toMatchObject({ kind: 'problem' })
    expect(withArguments({ args }, '{"to":"bob"}')).toMatchObject({ after: { to: 'bob' } })
  })

  it('are shown with what was there before, and no line of theirs passes for another', () => {
    const text = changesText({ to: 'ana', body: 'a\n+ to: eve' }, { to: 'bob', body: '' }, painter(false))
    expect(text.split('\n')).toEqual([
      '- to: ana',
      '+ to: bob',
      '- body:',
      '-   │ a',
      '-   │ + to: eve',
      '+ body: ',
    ])
    expect(changesText({ to: 'ana' }, { to: 'ana' }, painter(false))).toBe('')
  })
})

describe('approval edit', () => {
  let bench: CommandBench
  let detail: ApprovalDetail
  beforeEach(async () => {
    bench = await openCommandBench(now)
    detail = request('K7Q2')
    bench.gateway.approvals.push(detail)
  })
  afterEach(() => bench.close())

  const request = (code: string, more: Partial<Parameters<typeof approvalDetail>[0]> = {}) => ({
    ...approvalDetail({ identity: bench.home.establish(), code, tier: 2, now: new Date(now), ...more }),
    args,
    schema,
  })
  const inCall = () => {
    const { session, run, call } = detail.approval
    return { session, run, call }
  }
  const decision = (kind: Decision['kind']): Decision => ({
    kind,
    tier: 1,
    rules: [],
    raised: [],
    reason: 'It stays inside the workspace.',
  })

  it('shows what changed and the code that waits now', async () => {
    bench.gateway.onEdit = (edited, given) => {
      expect(JSON.parse(given)).toEqual({ count: 2, to: 'bob' })
      const next = request('M3XD', { ...inCall(), tier: 3 })
      bench.gateway.ask({ ...next, approval: { ...next.approval, replaces: edited.approval.id } })
    }
    const { exit, text } = await bench.command(['approval', 'edit', 'K7Q2', '--set', 'to=bob'])
    expect(exit).toBe(0)
    expect(text).toContain('- to: ana\n+ to: bob')
    expect(text).toContain('M3XD is pending, Leaves your hands')
    expect(text).toContain('higher than before')
    expect(text).toContain('Ledger #17')
  })

  it('takes several settings, also with an equals sign in the value', async () => {
    let given = ''
    bench.gateway.onEdit = (_edited, text) => {
      given = text
      bench.gateway.emit({
        type: 'call.decided',
        ...inCall(),
        tool: 't',
        headline: '',
        decision: decision('allow'),
      })
    }
    const value = await bench.document(['approval', 'edit', 'K7Q2', '--set', 'to=a=b', '--set', 'count=5'])
    expect(JSON.parse(given)).toEqual({ to: 'a=b', count: 5 })
    expect(value).toMatchObject({ ok: true, judged: 'runs', ledger: 17 })
  })

  it('says when it runs without asking, is refused, or the run went on', async () => {
    const about = { tool: 't', headline: '' }
    const cases = [
      ['runs', { type: 'call.decided', ...inCall(), ...about, decision: decision('allow') }],
      ['refused', { type: 'call.decided', ...inCall(), ...about, decision: decision('deny') }],
      [
        'over',
        { type: 'call.ended', ...inCall(), ...about, outcome: 'ok', summary: 'Sent.', undoable: false },
      ],
    ] as const
    for (const [judged, body] of cases) {
      bench.gateway.approvals.splice(0, 9, detail)
      bench.gateway.onEdit = () => {
        const other = { ...inCall(), call: newId('call') }
        bench.gateway.emit({ type: 'call.decided', ...other, ...about, decision: decision('deny') })
        bench.gateway.emit({ type: 'call.decided', ...inCall(), ...about, decision: decision('ask') })
        bench.gateway.emit(body)
      }
      expect(await bench.document(['approval', 'edit', 'K7Q2', '--args', '{"to":"bob"}'])).toMatchObject({
        judged,
      })
    }
  })

  it('says with 7 that it was changed but is not judged yet', async () => {
    const { error } = await bench.document(['approval', 'edit', 'K7Q2', '--set', 'to=bob', '--wait', '50ms'])
    expect(error).toMatchObject({ type: 'timeout', details: { ledger: 17 } })
  })

  it('sends nothing that changes nothing, or that no longer waits', async () => {
    expect((await bench.command(['approval', 'edit', 'K7Q2', '--set', 'to=ana'])).exit).toBe(2)
    expect((await bench.command(['approval', 'edit', 'K7Q2', '--set', 'cc=ana'])).exit).toBe(2)
    await bench.command(['approval', 'deny', 'K7Q2'])
    expect((await bench.command(['approval', 'edit', 'K7Q2', '--set', 'to=bob'])).exit).toBe(14)
    expect(bench.gateway.changes.filter((change) => change.endsWith('/edit'))).toEqual([])
  })
})
