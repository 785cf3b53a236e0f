import type { Effect, Label } from '@countersign/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { decide } from '../decide.ts'
import type { CallFacts } from '../facts.ts'
import { type BareFacts, factsOf, judgeGranted, withinGatewayReach } from '../judge.ts'
import {
  autonomies,
  type CallOptions,
  callOf,
  effect,
  file,
  type ShapeName,
  setOf,
  shapes,
  url,
} from '../testing/calls.ts'
import { askingOf } from './asking.ts'
import { type AskEnd, type AskedFacts, causeOf, endOf } from './cause.ts'
import { outlookOf } from './outlook.ts'

const own = {
  name: 'mine.cedar',
  text: '@id("mine.ask")\n@why("mail asks first")\nforbid (principal, action, resource == Tool::"fetch") unless { context.approved };',
}
const allowing = { name: 'yours.cedar', text: 'permit (principal, action, resource);' }
const levels = autonomies.map((level) => ({ level, set: setOf(level) }))
const sets = [...levels, { level: 'medium' as const, set: setOf('medium', own) }]
const allowed = autonomies.map((level) => ({ level, set: setOf(level, allowing) }))
afterAll(() => {
  for (const { set } of [...sets, ...allowed]) set.dispose()
})

type Facts = BareFacts

const moreShapes = {
  record: { category: 'notes', effects: [effect({ verb: 'write' })], resources: [] },
  makefile: {
    category: 'file_write',
    effects: [effect({ verb: 'write', scope: 'host-run' })],
    resources: [file('write')],
  },
  hook: {
    category: 'file_write',
    effects: [effect({ verb: 'write', scope: 'boundary' })],
    resources: [file('write')],
  },
  pay: { category: 'money', effects: [effect({ verb: 'spend', reversible: false })], resources: [] },
  share: { category: 'notes', effects: [effect({ verb: 'write', outward: true })], resources: [] },
  page: {
    category: 'network_read',
    effects: [effect({ verb: 'fetch', scope: 'boundary', leaves: ['the address'] })],
    resources: [url('GET')],
  },
  leaving: { category: 'notes', effects: [effect({ verb: 'read', leaves: ['a note'] })], resources: [] },
} as const

const unflagged = (facts: CallFacts): Facts => facts
function madeOf(name: keyof typeof moreShapes, options: CallOptions): Facts {
  const base = callOf('read', options)
  const shape: { category: string; effects: readonly Effect[]; resources: Facts['resources'] } =
    moreShapes[name]
  const tool = { name, category: shape.category }
  const { kind } = base.requester
  const isOwn = kind === 'operator' || kind === 'schedule'
  return factsOf({
    ...base,
    ...shape,
    tool: { ...tool, floor: 0 as const, declaresEffects: true },
    identityFlags: false,
    act: name === 'page' && isOwn ? 'look' : null,
  })
}

const names = [...Object.keys(shapes), ...Object.keys(moreShapes)]
const labels: Partial<Label>[] = (['operator', 'tool', 'untrusted'] as const).flatMap((integrity) =>
  (['public', 'private', 'secret'] as const).map((confidentiality) => ({
    integrity,
    confidentiality,
    sources: integrity === 'untrusted' ? (confidentiality === 'public' ? ['web'] : ['web', 'mail']) : [],
  })),
)
const brings: Partial<Label> = { integrity: 'untrusted' }

interface AskedCase {
  readonly level: (typeof autonomies)[number]
  readonly set: (typeof sets)[number]['set']
  readonly facts: Facts
  readonly again: Facts
  readonly unread: Facts | null
  readonly asked: AskedFacts
}

/** Every call of every shape that some level, label, requester or rule of the operator asks about. */
const cases: AskedCase[] = sets.flatMap(({ level, set }) =>
  names.flatMap((name) =>
    labels.flatMap((label) =>
      (['operator', 'peer', 'schedule', 'webhook'] as const).flatMap((requester) =>
        [true, false].flatMap((unattended) =>
          [true, false].flatMap((isLook): AskedCase[] => {
            const under = (change: Partial<Label>) => {
              const options = { label: { ...label, ...change }, requester, unattended }
              return name in shapes
                ? unflagged(callOf(name as ShapeName, options))
                : madeOf(name as keyof typeof moreShapes, options)
            }
            const facts = under({})
            const decision = withinGatewayReach(decide({ ...facts, granted: null }, set))
            if (decision.kind !== 'ask') return []
            const again = under(isLook ? brings : {})
            const isRead = label.integrity === 'untrusted' && requester !== 'webhook'
            const unread = isRead ? under({ integrity: 'tool', sources: [] }) : null
            const { effects, resources } = facts
            const call = { tool: name, argsHash: 'a', resources, effects }
            const outlook = outlookOf({ call, facts, again, unread }, set)
            const asked = {
              rules: decision.rules,
              tier: decision.tier,
              label: facts.label,
              effects,
              resources,
              requester: facts.requester,
              outlook,
            }
            return [{ level, set, facts, again, unread, asked }]
          }),
        ),
      ),
    ),
  ),
)

const kindOf = (facts: Facts, set: AskedCase['set'], granted = false) =>
  withinGatewayReach(decide({ ...facts, granted: granted ? { id: 'g' } : null }, set)).kind

/** Does what the sentence says, and asks policy again. */
const doneFor: Readonly<Record<AskEnd['kind'], (one: AskedCase, end: AskEnd) => string>> = {
  scopes: ({ again, facts, set }) =>
    kindOf(facts, set, true) === 'allow' ? kindOf(again, set, true) : 'ask',
  rule: ({ facts, set }) => kindOf(facts, set, true),
  'untrusted-rule': ({ facts, set }) => judgeGranted(facts, { id: 'g', untrusted: true }, set).kind,
  unread: ({ unread, set }) => (unread ? kindOf(unread, set) : 'ask'),
  'unread-rule': ({ unread, set }) => (unread ? kindOf(unread, set, true) : 'ask'),
  // Says where the rule is, and promises nothing.
  'own-rule': () => 'allow',
  policy: ({ level, facts }) =>
    kindOf(facts, allowed.find((one) => one.level === level)?.set as AskedCase['set']),
  level: ({ facts }, end) =>
    kindOf(
      facts,
      levels.find(({ level }) => end.kind === 'level' && level === end.level)?.set as AskedCase['set'],
    ),
  // Promises that neither a grant that can be made nor a rule of the operator's own answers.
  nothing: ({ level, facts, set, asked }) => {
    const { scopes, stops } = asked.outlook
    const isGrantless = scopes.length + stops.length === 0 || kindOf(facts, set, true) !== 'allow'
    const permitted = allowed.find((one) => one.level === level)?.set as AskedCase['set']
    return isGrantless && kindOf(facts, permitted) !== 'allow' ? 'allow' : 'ask'
  },
}

describe('the sentences of a card', () => {
  it('are there for every rule and every tier that can ask', () => {
    const rules = new Set(cases.flatMap(({ asked }) => asked.rules.map(({ id }) => id)))
    expect([...rules].toSorted()).toEqual([
      'base.approval',
      'base.critical',
      'base.outside',
      'base.peer',
      'base.private-leaves',
      'base.rule-of-two',
      'base.schedule',
      'base.secret-leaves',
      'base.secret-used',
      'base.unattended',
      'base.uninspectable',
      'base.untrusted-outward',
      'base.webhook',
      'level.full',
      'level.none',
      'mine.ask',
    ])
    expect(new Set(cases.map(({ asked }) => asked.tier))).toEqual(new Set([0, 1, 2, 3, 4]))
  })

  it('are one line each in both languages, and hold no name that only the code knows', () => {
    const said = new Set(
      cases.flatMap(({ asked }) => Object.values(askingOf(asked)).flatMap((one) => [one.why, one.stops])),
    )
    for (const text of said) {
      expect(text).toMatch(/^[A-ZÄÖÜ][^\n]{10,118}\.$/)
      expect(text).not.toMatch(
        /base\.|level\.[a-z]|mine\.|\bT[0-4]\b|_|untrusted|integrity|undefined|\bnull\b/,
      )
    }
    for (const { asked } of cases) {
      const { en, de } = askingOf(asked)
      expect(en.why).toMatch(/^(?:Asks because|Always asks:) /)
      expect(de.why).toMatch(/^Fragt(?: immer)?, weil /)
    }
  })

  it('promise only what policy does once it is done', () => {
    const kinds = new Set<string>()
    for (const one of cases) {
      const end = endOf(one.asked)
      kinds.add(end.kind)
      expect([askingOf(one.asked).en.stops, doneFor[end.kind](one, end)]).toEqual([
        askingOf(one.asked).en.stops,
        'allow',
      ])
    }
    expect(kinds).toEqual(new Set(Object.keys(doneFor)))
  })

  it('say “always” of nothing that a grant, a clean task or a level would let run', () => {
    const always = cases.filter(({ asked }) => askingOf(asked).en.why.startsWith('Always'))
    expect(always.length).toBeGreaterThan(0)
    for (const one of always) {
      for (const { set } of levels) expect(kindOf(one.facts, set, true)).not.toBe('allow')
      if (one.unread) expect(kindOf(one.unread, one.set, true)).not.toBe('allow')
    }
  })

  it.each<[string, ShapeName, CallOptions, string, string]>([
    [
      'medium',
      'fetch',
      {},
      'Asks because it reaches another host.',
      'With a rule for this host, it runs without asking in tasks that have read no words of strangers.',
    ],
    [
      'medium',
      'fetch',
      { label: { integrity: 'untrusted', sources: ['web'] } },
      'Asks because this task has read a web page and would reach another host.',
      'A rule can allow it in tasks that have not read a web page.',
    ],
    [
      'medium',
      'write',
      { label: { integrity: 'untrusted', confidentiality: 'private', sources: ['web'] } },
      'Asks because this task has read a web page and something private, and would change something.',
      'It would not ask in a task that has not read a web page.',
    ],
    [
      'medium',
      'send',
      {},
      'Always asks: others will see what is sent.',
      'Nothing that you can allow in advance covers it.',
    ],
    [
      'medium',
      'authority',
      {},
      'Always asks: it opens a credential or changes who is in charge.',
      'Nothing that you can allow in advance covers it.',
    ],
    [
      'low',
      'write',
      {},
      'Asks because changes ask at this level.',
      'Allowed for a run, a session or 30 minutes, it stops for this file until the task reads words of strangers.',
    ],
    [
      'none',
      'read',
      {},
      'Asks because at this level everything asks.',
      'It would not ask at the level “low”.',
    ],
  ])('at %s of %s with %j', (level, name, options, why, stops) => {
    const isLook = name === 'fetch'
    const found = cases.find(
      (one) =>
        one.level === level &&
        one.asked.rules.every(({ id }) => id !== 'mine.ask') &&
        one.facts.tool.name === name &&
        one.facts.requester.kind === 'operator' &&
        !one.facts.unattended &&
        one.facts.label.integrity === (options.label?.integrity ?? 'operator') &&
        one.facts.label.confidentiality === (options.label?.confidentiality ?? 'public') &&
        (one.again.label.integrity === 'untrusted') === (isLook || options.label?.integrity === 'untrusted'),
    )
    if (!found) throw new Error('nothing asks')
    const asked = { ...found.asked, label: { ...found.asked.label, sources: options.label?.sources ?? [] } }
    expect(askingOf(asked).en).toEqual({ why, stops })
  })

  it('say of a tool of a server what was accepted, and of what is let in what it decides', () => {
    const [found] = cases
    if (!found) throw new Error('nothing asks')
    const hash = '0'.repeat(64)
    const tool = (tier: 2 | 3 | 4): AskedFacts => ({
      ...found.asked,
      tier,
      rules: [],
      label: { integrity: 'operator', confidentiality: 'public', sources: [] },
      effects: [effect({ verb: 'execute', reversible: false, outward: true })],
      resources: [
        {
          type: 'server-tool',
          server: 'home',
          launch: hash,
          tool: 'x',
          definition: hash,
          tier,
          reaches: true,
        },
      ],
    })
    const change = (op: 'change' | 'use'): AskedFacts => ({
      ...tool(3),
      resources: [{ type: 'extension', kind: 'server', name: 'home', op, entry: null }],
    })
    const kinds = [
      tool(4),
      tool(3),
      tool(2),
      change('change'),
      change('use'),
      { ...change('change'), tier: 1 } as const,
    ]
    expect(kinds.map((each) => causeOf(each).kind)).toEqual([
      'server-critical',
      'server-outward',
      'looks',
      'lets-in',
      'program',
      'looks',
    ])
  })

  it('show the words of an operator’s rule as they are, without hidden characters', () => {
    const found = cases.find(({ asked }) => causeOf(asked).kind === 'own-rule')
    if (!found) throw new Error('no rule of the operator asks')
    expect(askingOf(found.asked).en.why).toBe('Asks because a rule of yours says so: “mail asks first”.')
    const rules = found.asked.rules.map((rule) => ({ ...rule, why: 'mail\u202e asks' }))
    expect(askingOf({ ...found.asked, rules }).en.why).not.toContain('\u202e')
  })
})
