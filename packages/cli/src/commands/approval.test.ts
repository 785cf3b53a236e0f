import type { ApprovalDetail, DecideApproval } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandBench, openCommandBench } from '../testing/command.ts'
import { stopCoverage } from '../testing/grants.ts'
import { type ApprovalParts, approvalDetail, newId } from '../testing/records.ts'

const now = '2026-08-01T12:00:00.000Z'
let bench: CommandBench
beforeEach(async () => {
  bench = await openCommandBench(now)
})
afterEach(() => bench.close())

function waits(code: string, parts: Partial<ApprovalParts> = {}): ApprovalDetail {
  const detail = approvalDetail({
    identity: bench.home.establish(),
    code,
    tier: 2,
    now: new Date(now),
    ...parts,
  })
  bench.gateway.approvals.push(detail)
  return detail
}

const approved = () => bench.gateway.decisions as Extract<DecideApproval, { verdict: 'approve' }>[]

describe('approval approve with several codes', () => {
  it('shows and asks for each, and leaves what was not agreed to', async () => {
    waits('AAAA')
    waits('BBBB', { tier: 3 })
    const { exit, text } = await bench.command(['approval', 'approve', 'AAAA', 'BBBB'], {
      terminal: true,
      input: 'n\nBBBB\n',
    })
    expect(exit).toBe(0)
    expect(text.match(/Exactly what will run/g)).toHaveLength(2)
    expect(text).toContain('1 approved, 1 left waiting.')
    expect(bench.gateway.decisions).toHaveLength(1)
    expect(bench.gateway.approvals.map(({ approval }) => approval.state)).toEqual(['pending', 'approved'])
  })

  it('decides exactly these, each once, and none that came under the same name', async () => {
    const { approval } = waits('AAAA')
    waits('BBBB')
    waits('CCCC')
    const { results } = await bench.document(['approval', 'approve', 'AAAA', approval.id, 'BBBB', '--yes'])
    expect(results).toMatchObject([
      { code: 'AAAA', decided: true, ledger: 9 },
      { code: 'BBBB', decided: true },
    ])
    expect(bench.gateway.decisions).toHaveLength(2)
    expect(bench.gateway.approvals[2]?.approval.state).toBe('pending')
  })

  it('reports what could not be approved and approves the others', async () => {
    waits('AAAA')
    waits('CRIT', { tier: 4 })
    const { exit, complaints } = await bench.command(['approval', 'approve', 'NONE', 'AAAA', 'CRIT', '--yes'])
    expect(exit).toBe(3)
    expect(complaints).toContain('1 approved, 2 could not be approved.')
    expect(complaints).toContain('NONE: There is no NONE.')
    expect(complaints).toContain('CRIT: CRIT is critical.')
    expect(bench.gateway.decisions).toHaveLength(1)
  })
})

describe('approval approve with a rule', () => {
  it('asks for the rule that was described, for a month and a hundred times unless it says so', async () => {
    waits('AAAA')
    waits('BBBB')
    await bench.document(['approval', 'approve', 'AAAA', '--rule', 'target', '--yes'])
    const more = ['--rule', 'place', '--where', 'everywhere', '--days', '7', '--max', 'any']
    await bench.document(['approval', 'approve', 'BBBB', ...more, '--yes'])
    expect(approved().map(({ grant }) => grant)).toEqual([
      { scope: 'rule', stop: 'target', where: 'agent', days: 30, maxUses: 100 },
      { scope: 'rule', stop: 'place', where: 'everywhere', days: 7, maxUses: null },
    ])
  })

  it('says before the question what it would have covered', async () => {
    waits('AAAA')
    bench.gateway.grants.coverage = {
      of: 200,
      stops: [stopCoverage('place')],
      suggested: { stop: 'place', untrusted: false },
    }
    const { text } = await bench.command(['approval', 'approve', 'AAAA', '--rule', 'place'], {
      terminal: true,
      input: '\n',
    })
    expect(text).toContain('It covers 14 of your last 200 calls, of which 6 asked you.')
    expect(text).toContain('Most similar call that would still ask: GET https://other.example')
    expect(text.indexOf('It covers')).toBeLessThan(text.indexOf('Approve it and save the rule?'))
    expect(bench.gateway.decisions).toEqual([])
  })

  it('refuses one without an end', async () => {
    waits('AAAA')
    const options = ['--rule', 'call', '--days', 'never']
    const { error } = await bench.document(['approval', 'approve', 'AAAA', ...options, '--yes'])
    expect(error).toMatchObject({ type: 'usage', message: '--days is a number from 1 to 365.' })
    expect(bench.gateway.decisions).toEqual([])
  })

  it('refuses one for a whole tool with 9 and names the web app', async () => {
    waits('AAAA')
    const { error } = await bench.document(['approval', 'approve', 'AAAA', '--rule', 'tool', '--yes'])
    expect(error).toMatchObject({
      type: 'step_up_needed',
      next: expect.stringContaining('open approvals/AAAA'),
    })
    expect(bench.gateway.decisions).toEqual([])
  })

  it('refuses one for a call that can only be approved once', async () => {
    waits('AAAA', { tier: 3 })
    const { error } = await bench.document(['approval', 'approve', 'AAAA', '--rule', 'call', '--yes'])
    expect(error).toMatchObject({ type: 'usage', message: expect.stringContaining('Options: once.') })
    expect(bench.gateway.decisions).toEqual([])
  })
})

describe('approval deny', () => {
  it('denies what is like it in the same run, and nothing else', async () => {
    const run = newId('run')
    waits('AAAA', { run })
    waits('BBBB', { run })
    waits('ELSE', { run, tier: 3 })
    waits('CCCC')
    const { text } = await bench.command(['approval', 'deny', 'AAAA', '--similar', '--reason', 'enough'])
    expect(text).toContain('2 denied.')
    expect(bench.gateway.approvals.map(({ approval }) => approval.state)).toEqual([
      'denied',
      'denied',
      'pending',
      'pending',
    ])
    expect(bench.gateway.decisions).toMatchObject([{ reason: 'enough' }, { reason: 'enough' }])
  })

  it('stops the run last, since it withdraws what still waits', async () => {
    const run = newId('run')
    waits('AAAA', { run })
    waits('BBBB', { run })
    await bench.command(['approval', 'deny', 'AAAA', '--similar', '--stop'])
    expect(bench.gateway.decisions).toMatchObject([{ stop: false }, { stop: true }])
  })

  it('takes several codes and says which was decided already', async () => {
    waits('AAAA')
    waits('BBBB')
    await bench.command(['approval', 'deny', 'AAAA'])
    const { exit, complaints } = await bench.command(['approval', 'deny', 'AAAA', 'BBBB'])
    expect(exit).toBe(14)
    expect(complaints).toContain('1 denied, 1 could not be denied.')
  })

  it('finds nothing that is like a critical request', async () => {
    const run = newId('run')
    waits('CRIT', { run, tier: 4 })
    waits('ALSO', { run, tier: 4 })
    await bench.command(['approval', 'deny', 'CRIT', '--similar'])
    expect(bench.gateway.decisions).toHaveLength(1)
  })
})

describe('approval extend and ask', () => {
  it('says until when it waits now', async () => {
    waits('AAAA')
    const { text } = await bench.command(['approval', 'extend', 'AAAA', '--hours', '2'])
    expect(text).toContain('AAAA waits until 14:00 (2 h 0 min).  Ledger #18')
  })

  it('fences the answer of the agent, and still waits', async () => {
    waits('AAAA')
    const { text } = await bench.command(['approval', 'ask', 'AAAA', 'Why her?'])
    expect(text).toContain('Agent says (unverified)\n│ She asked for it.')
    expect(text).not.toContain('\u001b')
    expect(text).toContain('AAAA is still pending.  Ledger #19')
    expect((await bench.command(['approval', 'show', 'AAAA'])).text).toContain('You asked: Why her?')
  })

  it('refuses both once it was decided', async () => {
    waits('AAAA')
    await bench.command(['approval', 'deny', 'AAAA'])
    expect((await bench.command(['approval', 'extend', 'AAAA'])).exit).toBe(14)
    expect((await bench.command(['approval', 'ask', 'AAAA', 'Why?'])).exit).toBe(14)
  })
})

describe('approval show', () => {
  it('tells how similar ones were decided', async () => {
    const detail = waits('AAAA')
    bench.gateway.approvals[0] = {
      ...detail,
      history: { approved: 6, denied: 1, lastAt: '2026-08-01T11:00:00.000Z' },
      refusals: [],
    }
    const { text } = await bench.command(['approval', 'show', 'AAAA'])
    expect(text).toContain('Similar: approved 6, denied 1 in 30 days, the last 1 h 0 min ago.')
  })

  it('names --step-up for what needs a passkey', async () => {
    waits('CRIT', { tier: 4 })
    expect((await bench.command(['approval', 'show', 'CRIT'])).text).toContain('approve CRIT --step-up')
  })
})
