import type { GrantSuggestion } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shortId } from '../short-id.ts'
import { type CommandBench, openCommandBench } from '../testing/command.ts'
import { grantView } from '../testing/grants.ts'
import { newId } from '../testing/records.ts'

const now = '2026-08-01T12:00:00.000Z'
let bench: CommandBench
beforeEach(async () => {
  bench = await openCommandBench(now)
})
afterEach(() => bench.close())

const old = '2026-06-01T12:00:00.000Z'
const recent = '2026-07-31T12:00:00.000Z'
const suggested: GrantSuggestion = {
  id: '4be1c07a95d2f3e8',
  sentence: 'http_request: docs.rs',
  tool: 'http_request',
  agent: 'assistant',
  stop: 'place',
  untrusted: false,
  answers: 6,
  of: 41,
  examples: [{ headline: 'GET https://docs.rs/serde', tier: 2, at: '', run: 'run_1' }],
  approval: newId('apr'),
}

describe('grant list', () => {
  it('leaves out what ended, unless it is asked for', async () => {
    bench.gateway.grants.grants = [
      grantView({ sentence: 'still holds', maxUses: null }),
      grantView({ sentence: 'is over', state: 'revoked' }),
    ]
    const { text } = await bench.command(['grant', 'list'])
    expect(text).toContain('still holds')
    expect(text).toContain('1, no limit')
    expect(text).not.toContain('is over')
    expect((await bench.command(['grant', 'list', '--all'])).text).toContain('is over')
  })

  it('finds those that nothing used for so long, counting from when they were given', async () => {
    bench.gateway.grants.grants = [
      grantView({ sentence: 'used', createdAt: old, lastUsedAt: recent }),
      grantView({ sentence: 'unused', createdAt: old, lastUsedAt: null }),
      grantView({ sentence: 'new', createdAt: recent, lastUsedAt: null }),
      grantView({ sentence: 'ended', createdAt: old, lastUsedAt: null, state: 'expired' }),
    ]
    const { grants } = await bench.document(['grant', 'list', '--unused', '30d', '--all'])
    expect(grants).toMatchObject([{ sentence: 'unused' }])
    bench.gateway.grants.grants.splice(1, 1)
    expect((await bench.command(['grant', 'list', '--unused', '30'])).text).toContain('in the last 30 days')
  })
})

describe('grant show', () => {
  it('says what it allows, where it holds and what it was made from', async () => {
    const grant = grantView({ agent: 'researcher' })
    bench.gateway.grants.grants = [grant]
    const { text } = await bench.command(['grant', 'show', grant.id])
    expect(text).toMatch(/Holds for +the agent researcher/)
    expect(text).toContain(grant.approval)
    expect(text).toContain(`countersign grant revoke ${shortId(grant.id)}`)
  })

  it('says 3 for one that is not there', async () => {
    expect((await bench.command(['grant', 'show', newId('gr')])).exit).toBe(3)
  })
})

describe('grant revoke', () => {
  it('ends exactly these, each once', async () => {
    const { text } = await bench.command(['grant', 'revoke', 'gr_1', 'gr_2', 'gr_1'])
    expect(text).toBe('Revoked gr_1.  Ledger #7\nRevoked gr_2.  Ledger #7\n')
    expect(bench.gateway.grants.revoked).toEqual(['gr_1', 'gr_2'])
  })

  it('says which still holds, and ends the others', async () => {
    const { exit, complaints } = await bench.command(['grant', 'revoke', 'gr_missing', 'gr_2'])
    expect(exit).toBe(3)
    expect(complaints).toContain('Revoked gr_2.')
    expect(complaints).toContain('gr_missing was not revoked')
  })
})

describe('grant prune and suggest', () => {
  it('says which would go, and revokes nothing with --dry-run', async () => {
    const dry = await bench.command(['grant', 'prune', '--unused', '30d', '--dry-run'])
    expect(dry.text).toContain('Would revoke 1 grant:')
    const wet = await bench.command(['grant', 'prune', '--unused', '30d'])
    expect(wet.text).toContain('Revoked 1 grant.  Ledger #31')
    expect(bench.gateway.grants.pruned).toEqual([
      { unusedDays: 30, dryRun: true },
      { unusedDays: 30, dryRun: false },
    ])
    bench.gateway.grants.grants = []
    expect((await bench.command(['grant', 'prune', '--unused', '30d'])).text).toContain('No grant was unused')
  })

  it('says how much a grant would have answered', async () => {
    expect((await bench.command(['grant', 'suggest'])).text).toContain('You approved nothing often enough')
    bench.gateway.grants.suggestions = [suggested]
    const { text } = await bench.command(['grant', 'suggest'])
    expect(text).toContain('4be1c07a95d2f3e8  http_request: docs.rs')
    expect(text).toContain('6 of the 41 questions that you approved in the last 7 days')
    expect(text).toContain('- GET https://docs.rs/serde')
  })

  it('creates what is suggested, and nothing else', async () => {
    bench.gateway.grants.suggestions = [suggested]
    const taken = await bench.command(['grant', 'take', suggested.id])
    expect(taken.text).toMatch(/Created .*: http_request: docs\.rs\./)
    expect(bench.gateway.grants.taken).toEqual([suggested.id])
    expect((await bench.command(['grant', 'take', '0'.repeat(16)])).complaints).toContain(
      'not suggested any more',
    )
  })
})

describe('what-can', () => {
  it('tells level, rules, grants and what needs a passkey', async () => {
    const { text } = await bench.command(['what-can', 'researcher'])
    expect(text).toContain('Without asking, researcher at autonomy medium')
    expect(text).toContain('policy.d/docs.cedar:3  own.docs')
    expect(text).toContain('http_request: look at any address of https://api.example:443 with GET')
    expect(text).toContain('execute_shell')
    expect(await bench.document(['what-can'])).toMatchObject({ ok: true, agent: null })
  })
})
