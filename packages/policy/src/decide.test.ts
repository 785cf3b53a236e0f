import { Decision, type Label, type SessionId } from '@countersign/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { compileExactly } from './compile.ts'
import { decide } from './decide.ts'
import type { CallFacts } from './facts.ts'
import {
  autonomies,
  type CallOptions,
  callOf,
  compiledSet,
  effect,
  type ShapeName,
  setOf,
  shapes,
} from './testing/calls.ts'

const sets = {
  none: setOf('none'),
  low: setOf('low'),
  medium: setOf('medium'),
  high: setOf('high'),
  full: setOf('full'),
}
const mail: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['mail'] }

afterAll(() => {
  for (const set of Object.values(sets)) set.dispose()
})

describe('a rule that names where a call is made', () => {
  const work = { agent: 'coder', goal: 'goal_1', session: 'ses_1' }
  const made = (changed: Partial<typeof work> = {}) => ({ ...callOf('write'), work: { ...work, ...changed } })

  test.each([
    ['agent', { agent: 'writer' }],
    ['goal', { goal: 'goal_2' }],
    ['session', { session: 'ses_2' }],
  ] as const)('holds for that %s and for no other', (name, other) => {
    const text = `@id("own") forbid (principal, action, resource) when { context.${name} == "${work[name]}" } unless { context.approved };`
    const set = setOf('medium', { name: 'own.cedar', text })
    expect(decide(made(), set).kind).toBe('ask')
    expect(decide(made(other), set).kind).toBe('allow')
    // Which of them is asked first changes nothing.
    expect(decide(made(), set).kind).toBe('ask')
    set.dispose()
  })

  describe('and who began the work', () => {
    const origin = { agent: 'coder', goal: 'goal_1', session: 'ses_1' as SessionId }
    const helper = { agent: 'helper', goal: null, session: 'ses_2', origins: [origin] }
    const handedOn = { ...callOf('write'), work: helper }
    const under = (text: string, call: CallFacts = handedOn) => {
      const set = setOf('medium', { name: 'own.cedar', text })
      const decision = decide(call, set)
      set.dispose()
      return decision
    }

    test.each(['agent', 'goal', 'session'] as const)(
      'holds for what that %s handed on: asked or refused as it says',
      (name) => {
        const rule = `@id("own") forbid (principal, action, resource) when { context.${name} == "${origin[name]}" }`
        expect(under(`${rule} unless { context.approved };`)).toMatchObject({
          kind: 'ask',
          rules: [{ id: 'own' }],
        })
        const refused = under(`${rule};`)
        expect(refused).toMatchObject({ kind: 'deny', rules: [{ id: 'own' }] })
        expect(refused.reason).toContain('the agent coder began the work in ses_1')
      },
    )

    test('is one who does it: a rule about two that no one is does not hold', () => {
      const both =
        'forbid (principal, action, resource) when { context.agent == "coder" && context.session == "ses_2" };'
      expect(under(both).kind).toBe('allow')
    })

    test('permits nothing: neither more nor less than to the caller', () => {
      const fetching = { ...callOf('fetch'), work: helper }
      const permit = (agent: string) =>
        `permit (principal, action, resource) when { context.agent == "${agent}" };`
      expect(under(permit('coder'), fetching).kind).toBe('ask')
      expect(under(permit('helper'), fetching).kind).toBe('allow')
    })

    test('is asked about where everybody else is forbidden', () => {
      const only = 'forbid (principal, action, resource) unless { context.agent == "helper" };'
      expect(under(only).kind).toBe('deny')
      expect(under(only, { ...handedOn, work: { ...helper, origins: [] } }).kind).toBe('allow')
    })

    test('is answered by a grant where the rule says so, and the grant is named', () => {
      const rule =
        'forbid (principal, action, resource) when { context.agent == "coder" } unless { context.approved || context.granted };'
      expect(under(rule, { ...handedOn, granted: { id: 'grant_1' } })).toMatchObject({
        kind: 'allow',
        grant: 'grant_1',
      })
      expect(under(rule).kind).toBe('ask')
    })
  })
})

describe('autonomy levels', () => {
  const free = (autonomy: keyof typeof sets) =>
    (Object.keys(shapes) as ShapeName[]).filter(
      (name) => decide(callOf(name), sets[autonomy]).kind === 'allow',
    )

  test('each frees what the one below frees and a tier more', () => {
    expect(free('none')).toEqual(['question'])
    expect(free('low')).toEqual(['question', 'read'])
    expect(free('medium')).toEqual(['question', 'read', 'write'])
    expect(free('high')).toEqual(['question', 'read', 'write', 'fetch'])
    expect(free('full')).toEqual(['question', 'read', 'write', 'fetch', 'delete', 'command', 'send'])
  })

  test('none lets neither a grant nor a permit of the operator stand for consent', () => {
    const permissive = setOf('none', { name: 'a.cedar', text: 'permit (principal, action, resource);' })
    expect(decide(callOf('fetch', { granted: true }), permissive).kind).toBe('ask')
    permissive.dispose()
  })

  test('no level and no permit of the operator allows T4', () => {
    for (const autonomy of autonomies) {
      const permissive = setOf(autonomy, { name: 'a.cedar', text: 'permit (principal, action, resource);' })
      expect(decide(callOf('authority', { granted: true }), permissive).kind).toBe('ask')
      permissive.dispose()
    }
  })
})

describe('base rules', () => {
  test('ask when untrusted content and private data meet in an act, and not when one is missing', () => {
    expect(decide(callOf('write', { label: mail }), sets.high)).toMatchObject({
      kind: 'ask',
      rules: [{ id: 'base.rule-of-two', file: 'bundled/base.cedar' }],
    })
    expect(decide(callOf('write', { label: { ...mail, confidentiality: 'public' } }), sets.high).kind).toBe(
      'allow',
    )
    expect(decide(callOf('write', { label: { ...mail, integrity: 'tool' } }), sets.high).kind).toBe('allow')
    expect(decide(callOf('read', { label: mail }), sets.high).kind).toBe('allow')
  })

  test('a grant does not lift the rule of two', () => {
    const tainted = callOf('write', { label: mail, granted: true })
    expect(tainted.classification.tier).toBe(2)
    expect(decide(tainted, sets.full).kind).toBe('ask')
  })

  test('untrusted content never acts outward freely, even at full', () => {
    const label: Label = { ...mail, confidentiality: 'public' }
    expect(decide(callOf('send', { label }), sets.full).kind).toBe('ask')
    expect(decide(callOf('fetch', { label }), sets.full).kind).toBe('ask')
    expect(decide(callOf('send'), sets.full).kind).toBe('allow')
  })

  test('an uninspectable command asks at every level and is denied the network', () => {
    for (const set of Object.values(sets)) {
      expect(decide(callOf('shell'), set).kind).toBe('ask')
      expect(decide(callOf('shell-network'), set)).toMatchObject({
        kind: 'deny',
        rules: [{ id: 'base.uninspectable-network' }],
      })
    }
  })

  test('what derives from a secret asks before it leaves', () => {
    const label = { confidentiality: 'secret' } as const
    expect(decide(callOf('fetch', { label }), sets.full).kind).toBe('ask')
    expect(decide(callOf('write', { label }), sets.full).kind).toBe('allow')
  })

  test('others get less than the operator', () => {
    for (const requester of ['peer', 'webhook'] as const) {
      expect(decide(callOf('read', { requester }), sets.full).kind).toBe('allow')
      expect(decide(callOf('write', { requester }), sets.full).kind).toBe('ask')
      expect(decide(callOf('authority', { requester }), sets.full).kind).toBe('deny')
    }
    expect(decide(callOf('write', { requester: 'schedule' }), sets.full).kind).toBe('allow')
    expect(decide(callOf('fetch', { requester: 'schedule' }), sets.full).kind).toBe('ask')
  })

  test('an unattended run asks from T2 on, unless it was granted', () => {
    expect(decide(callOf('write', { unattended: true }), sets.full).kind).toBe('allow')
    expect(decide(callOf('fetch', { unattended: true }), sets.full).kind).toBe('ask')
    expect(decide(callOf('fetch', { unattended: true, granted: true }), sets.full)).toMatchObject({
      kind: 'allow',
      grant: 'grant_1',
    })
  })
})

describe('grants', () => {
  test('turn an ask at T2 into an allow that names the grant', () => {
    expect(decide(callOf('fetch'), sets.low).kind).toBe('ask')
    expect(decide(callOf('fetch', { granted: true }), sets.low)).toMatchObject({
      kind: 'allow',
      grant: 'grant_1',
      rules: [{ id: 'base.grant' }],
      reason: 'Allowed by your grant: fetching from another host.',
    })
  })

  test('are not named where the call is free without them', () => {
    expect(decide(callOf('fetch', { granted: true }), sets.high)).not.toHaveProperty('grant')
  })

  test('never cover T3', () => {
    for (const name of ['delete', 'command', 'shell', 'send'] as const) {
      expect(decide(callOf(name, { granted: true }), sets.high).kind).toBe('ask')
    }
  })
})

describe('decide', () => {
  test('denies by default', () => {
    const empty = compiledSet(compileExactly({ autonomy: 'full', files: [] }))
    expect(decide(callOf('read'), empty)).toEqual({
      kind: 'deny',
      tier: 0,
      rules: [],
      raised: [],
      reason: 'Denied: no rule allows it.',
    })
    empty.dispose()
  })

  test('denies where a forbid stands against any number of permits', () => {
    const text =
      '@id("no-fetch") @why("Not from here.")\nforbid (principal, action, resource == Tool::"fetch");'
    const set = setOf('full', { name: 'mine.cedar', text })
    expect(decide(callOf('fetch', { granted: true }), set)).toMatchObject({
      kind: 'deny',
      rules: [{ id: 'no-fetch', file: 'mine.cedar', line: 1, why: 'Not from here.' }],
      reason: 'Denied: Not from here.',
    })
    expect(decide(callOf('read'), set).kind).toBe('allow')
    set.dispose()
  })

  test('knows categories, hosts, folders, methods and single requesters', () => {
    const cases: readonly (readonly [string, ShapeName, ShapeName])[] = [
      ['resource in Category::"file_write"', 'write', 'read'],
      ['context.hosts.contains("example.org")', 'fetch', 'read'],
      ['context.methods.contains("GET")', 'fetch', 'read'],
      ['context.folders.contains("/home/me/work")', 'read', 'question'],
      ['context.paths.contains("/etc/hosts")', 'read-outside', 'read'],
      ['context.outside', 'read-outside', 'read'],
      ['context.secrets.contains("mine")', 'fetch-secret', 'fetch'],
      ['principal == Requester::"requester_1" && context.outward', 'send', 'read'],
    ]
    for (const [condition, hit, miss] of cases) {
      const text = `forbid (principal, action, resource) when { ${condition} };`
      const set = setOf('full', { name: 'mine.cedar', text })
      expect([condition, decide(callOf(hit), set).kind]).toEqual([condition, 'deny'])
      expect([condition, decide(callOf(miss), set).kind]).toEqual([condition, 'allow'])
      set.dispose()
    }
  })

  test('denies when a rule fails to evaluate, though Cedar alone would skip it', () => {
    const text = `@id("overflow") forbid (principal, action, resource)
      when { context.tier * 9223372036854775807 * 2 > 1 && context.outward };`
    const set = setOf('full', { name: 'mine.cedar', text })
    const decision = decide(callOf('send'), set)
    expect(decision).toMatchObject({ kind: 'deny', rules: [] })
    expect(decision.reason).toContain('overflow')
    set.dispose()
  })

  test('denies when a rule fails to evaluate only once the operator approved', () => {
    const text = `@id("overflow") forbid (principal, action, resource)
      when { context.approved && context.tier * 9223372036854775807 * 2 > 1 };`
    const set = setOf('medium', { name: 'mine.cedar', text })
    expect(decide(callOf('send'), set)).toMatchObject({
      kind: 'deny',
      rules: [],
      reason: expect.stringContaining('could not be evaluated'),
    })
    set.dispose()
  })

  test('lets a rule of the operator speak of what cannot be undone', () => {
    const text = '@id("mine") forbid (principal, action, resource) when { context.irreversible };'
    const set = setOf('full', { name: 'mine.cedar', text })
    expect(decide(callOf('delete'), set)).toMatchObject({ kind: 'deny', rules: [{ id: 'mine' }] })
    expect(decide(callOf('write'), set)).toMatchObject({ kind: 'allow' })
    set.dispose()
  })

  test('denies facts of a wrong shape without a throw', () => {
    const wrong: unknown[] = [
      null,
      {},
      { ...callOf('read'), effects: null },
      { ...callOf('read'), tool: { name: 7 } },
    ]
    wrong.push(
      { ...callOf('read'), label: {} },
      { ...callOf('read'), requester: { kind: 'operator', id: '\ud800' } },
    )
    for (const facts of wrong) expect(decide(facts as CallFacts, sets.full).kind).toBe('deny')
  })

  test('denies a word that no rule could know', () => {
    const read = callOf('read')
    const wrong: unknown[] = [
      { ...read, requester: { kind: 'cousin', id: 'a' } },
      { ...read, label: { ...read.label, integrity: 'splendid' } },
      { ...read, label: { ...read.label, confidentiality: 'hushed' } },
      { ...read, effects: [{ ...effect({ verb: 'read' }), verb: 'vanish' }] },
      { ...read, resources: [{ type: 'moon' }] },
      { ...read, classification: { tier: -1, base: 0, raised: [] } },
      { ...read, classification: { tier: 0.5, base: 0, raised: [] } },
    ]
    for (const facts of wrong) {
      expect(decide(facts as CallFacts, sets.full).reason).toMatch(
        /^Denied: policy could not be evaluated \(unknown /,
      )
    }
  })

  test('gives a reason in one plain sentence and a decision that the contract accepts', () => {
    expect(decide(callOf('read'), sets.medium).reason).toBe('Allowed: reading inside the workspace.')
    expect(decide(callOf('command'), sets.medium).reason).toBe('Running a command cannot be undone.')
    expect(decide(callOf('write'), sets.low).reason).toBe(
      'Writing inside the workspace asks at this autonomy level.',
    )
    for (const name of Object.keys(shapes) as ShapeName[]) {
      for (const set of Object.values(sets)) {
        const decision = decide(callOf(name, { label: mail }), set)
        expect(Decision.parse(decision).reason).toMatch(/^[A-Z][^\n]*[^.]\.$/)
        expect(decision.rules).not.toEqual([])
      }
    }
  })

  test('asks because of what raised the tier when nothing else speaks', () => {
    const flagged = callOf('write', { identityFlags: true })
    expect(decide(flagged, sets.medium)).toMatchObject({
      kind: 'ask',
      tier: 2,
      raised: ['a name in the call has suspicious characters'],
      reason: 'A name in the call has suspicious characters.',
    })
  })

  test('takes a call without effects as one that touches nothing only where its tier agrees', () => {
    const nothing = { ...callOf('question'), effects: [] }
    expect(decide(nothing, sets.none)).toMatchObject({
      kind: 'allow',
      reason: 'Allowed: it touches nothing.',
    })
    const silent = { ...nothing, classification: { tier: 3, base: 0, raised: [] } } as const
    expect(decide(silent, sets.high)).toMatchObject({
      kind: 'ask',
      reason: 'Nothing you set up allows this, so it asks.',
    })
  })

  test('explains a read outside by where it reads', () => {
    const call = { ...callOf('read-outside'), effects: [effect({ verb: 'read', scope: 'boundary' })] }
    expect(decide(call, sets.high).reason).toBe('It looks at a file outside the workspace.')
    const granted = { ...call, granted: { id: 'grant_1' } }
    expect(decide(granted, sets.high).reason).toBe('Allowed by your grant: reading outside the workspace.')
  })
})

describe('at every level', () => {
  const kinds = (name: ShapeName, options: CallOptions) =>
    autonomies.map((autonomy) => decide(callOf(name, options), sets[autonomy]).kind)
  const ask = autonomies.map(() => 'ask')

  test('a secret is used only with an approval, whatever was granted', () => {
    expect(kinds('fetch-secret', {})).toEqual(ask)
    expect(kinds('fetch-secret', { granted: true })).toEqual(ask)
    expect(kinds('fetch', { granted: true }).slice(1)).toEqual(ask.slice(1).map(() => 'allow'))
  })

  test('something private leaves only for a place that was granted, and something secret never unasked', () => {
    for (const integrity of ['operator', 'paired', 'tool'] as const) {
      expect(kinds('fetch', { label: { integrity, confidentiality: 'private' } })).toEqual(ask)
      expect(kinds('send', { label: { integrity, confidentiality: 'private' } })).toEqual(ask)
      const granted = kinds('fetch', { label: { integrity, confidentiality: 'private' }, granted: true })
      expect(granted.slice(1)).toEqual(ask.slice(1).map(() => 'allow'))
      expect(kinds('fetch', { label: { integrity, confidentiality: 'secret' }, granted: true })).toEqual(ask)
    }
  })

  test('a look outside the workspace asks unless it was granted', () => {
    expect(kinds('read-outside', {})).toEqual(ask)
    expect(kinds('read-outside', { granted: true }).slice(1)).toEqual(ask.slice(1).map(() => 'allow'))
  })

  test('no grant speaks for what untrusted content led to', () => {
    for (const name of ['write', 'fetch', 'read-outside'] as const) {
      const options = { label: { integrity: 'untrusted' as const, confidentiality: 'public' as const } }
      expect(kinds(name, { ...options, granted: true })).toEqual(kinds(name, options))
    }
  })
})
