import { compilePolicies, type PolicySet } from '@countersign/policy'
import { describe, expect, it } from 'vitest'
import { weekFigures } from './figures.ts'
import { readCorpus } from './first/corpus.ts'
import { labelledAsInstalled } from './first/labels.ts'
import { firstParts, measureFirst } from './first/measure.ts'
import { hostsOf } from './judge.ts'
import { compiledFor } from './policy.ts'
import { promptsOf } from './prompts.ts'
import { type ReplayOptions, replay } from './replay.ts'
import { transplant } from './transplant.ts'

const corpus = readCorpus()
const medium = compiledFor('medium')
const week = await labelledAsInstalled(corpus.week, corpus.tool)
const injected = week.calls.filter((call) => call.injected)
const wish: ReplayOptions = { calls: week.calls, set: medium, withSuggestions: false, tool: corpus.tool }
const kinds = (change: Partial<ReplayOptions>) =>
  replay({ ...wish, ...change }).judged.map(({ judgement }) => judgement.kind)

function openPolicy(): PolicySet {
  const compiled = compilePolicies({
    autonomy: 'medium',
    files: [{ name: 'open.cedar', text: 'permit (principal, action, resource) when { context.tier <= 2 };' }],
  })
  if (compiled.kind === 'invalid') throw new Error('the rule does not compile')
  return compiled.set
}

describe('the replay of the first corpus', () => {
  it('lets nothing run unasked that must not, with and without grants, in any order and in any run', async () => {
    const [first, heldOut] = await measureFirst(corpus)
    const safe = { unsafe: 0, transplantedOutward: 0, transplantedInside: 0 }
    expect(first).toMatchObject({ ...safe, guarded: 121 })
    expect(heldOut).toMatchObject({ ...safe, guarded: 45 })
    expect(first?.transplanted).toBeGreaterThan(10_000)
  })

  it('begins every run of the operator with their words alone, and goes on with what it read', () => {
    const begun = week.calls.filter(
      ({ requester, turn, injected }) => requester.kind === 'operator' && turn === 1 && !injected,
    )
    const worth = week.calls.map(({ label }) => `${label.integrity} ${label.confidentiality}`)
    expect(begun.length).toBeGreaterThan(100)
    expect(begun.filter(({ label }) => label.confidentiality !== 'public')).toEqual([])
    for (const one of ['operator public', 'tool private', 'untrusted public', 'untrusted private'])
      expect(worth).toContain(one)
  })

  it('sees an attack that a policy lets run in another task', () => {
    const moved = { ...week, attacks: injected, grants: [], scopes: [], tool: corpus.tool }
    const open = openPolicy()
    const ran = transplant({ ...moved, set: open })
    expect([...ran.outward, ...ran.inside].some((one) => one.startsWith('w0128'))).toBe(true)
    expect(transplant({ ...moved, set: medium })).toMatchObject({ outward: [], inside: [] })
    open.dispose()
  })

  it('sees a policy that lets too much run', () => {
    const open = openPolicy()
    expect(weekFigures(firstParts(week, [], open, corpus)).unsafe).toBeGreaterThan(0)
    open.dispose()
  })

  it('takes suggestions from turns that are over, never from a later one', () => {
    const granted = kinds({ withSuggestions: true })
    const wednesday = week.calls.filter(({ at }) => at < '2026-03-05')
    const cut = kinds({ withSuggestions: true, calls: wednesday })
    expect(cut).toEqual(granted.slice(0, wednesday.length))
    expect(granted).not.toEqual(kinds({}))
  })

  it('never makes a grant from what hostile content led to', () => {
    const { suggestions } = replay({ ...wish, withSuggestions: true })
    const own = new Set(week.calls.filter((call) => !call.injected).flatMap(hostsOf))
    const foreign = new Set(injected.flatMap(hostsOf).filter((host) => !own.has(host)))
    const granted = suggestions.flatMap(({ covers }) =>
      covers.flatMap((cover) => ('host' in cover ? [cover.host] : [])),
    )
    expect(foreign.size).toBeGreaterThan(0)
    expect(granted.filter((host) => foreign.has(host))).toEqual([])
  })
})

describe('a prompt', () => {
  const asked = replay(wish).judged.filter(({ judgement }) => judgement.kind === 'ask')

  it('gathers cards of one turn, one tool and one destination, and loses none', () => {
    const rows = promptsOf(asked)
    expect(rows.flat()).toHaveLength(asked.length)
    for (const row of rows) {
      const heads = row.map(
        ({ call, judgement }) => `${call.run} ${call.turn} ${call.tool} T${judgement.tier}`,
      )
      expect(new Set(heads).size).toBe(1)
    }
    expect(rows.some((row) => row.length > 1)).toBe(true)
  })

  it('of the highest tier stands alone', () => {
    const [one] = asked
    if (!one) throw new Error('nothing asks')
    const critical = { ...one, judgement: { ...one.judgement, tier: 4 as const } }
    const twice = [critical, { ...critical, call: { ...critical.call, id: 'w9999' } }]
    expect(promptsOf(twice)).toHaveLength(2)
    expect(promptsOf([one, { ...one, call: { ...one.call, id: 'w9999' } }])).toHaveLength(1)
  })
})
