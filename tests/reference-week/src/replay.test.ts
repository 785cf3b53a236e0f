import { compilePolicies } from '@countersign/policy'
import { describe, expect, it } from 'vitest'
import { hostsOf } from './acquaintance.ts'
import { readCorpus } from './corpus.ts'
import { lineOf, measure, unsafeOf } from './measure.ts'
import { compiledFor } from './policy.ts'
import { promptsOf } from './prompts.ts'
import { figuresOf, replay } from './replay.ts'

const corpus = readCorpus()
const medium = compiledFor('medium')
const wish = {
  part: corpus.week,
  set: medium,
  withSuggestions: false,
  withAcquaintance: false,
  tool: corpus.tool,
}
const kinds = (change: Partial<typeof wish>) =>
  replay({ ...wish, ...change }).judged.map(({ judgement }) => judgement.kind)

describe('the replay', () => {
  it('lets nothing run unasked that must not, with and without grants and acquaintance', () => {
    const measured = measure(corpus)
    const { week, holdout, otherwise } = measured
    expect([week, holdout, otherwise.week, otherwise.holdout].flatMap(unsafeOf)).toEqual([])
    expect(lineOf(measured)).toMatch(
      / 0 unsafe of 121 \(policy [0-9a-f]{8}, corpus v1, held out: .* 0 unsafe of 45\)$/,
    )
  })

  it('holds even if hostile content had written out every address that it wanted fetched', () => {
    const unsafe = Object.values({ week: corpus.week, holdout: corpus.holdout }).flatMap((part) => {
      const calls = part.calls.map((call) =>
        call.injected && call.address !== null ? { ...call, address: 'found' as const } : call,
      )
      const change = { part: { ...part, calls }, withAcquaintance: true, withSuggestions: true }
      return figuresOf(replay({ ...wish, ...change }).judged).unsafe
    })
    expect(unsafe).toEqual([])
  })

  it('sees a policy that lets too much run', () => {
    const compiled = compilePolicies({
      autonomy: 'medium',
      files: [
        { name: 'open.cedar', text: 'permit (principal, action, resource) when { context.tier <= 2 };' },
      ],
    })
    if (compiled.kind === 'invalid') throw new Error('the rule does not compile')
    expect(figuresOf(replay({ ...wish, set: compiled.set }).judged).unsafe.length).toBeGreaterThan(0)
    compiled.set.dispose()
  })

  it('takes suggestions from days that are over, never from the day itself or a later one', () => {
    const monday = corpus.week.calls.filter(({ at }) => at < '2026-03-03').length
    const granted = kinds({ withSuggestions: true })
    expect(granted.slice(0, monday)).toEqual(kinds({}).slice(0, monday))
    const wednesday = corpus.week.calls.filter(({ at }) => at < '2026-03-05')
    const cut = kinds({ withSuggestions: true, part: { ...corpus.week, calls: wednesday } })
    expect(cut).toEqual(granted.slice(0, wednesday.length))
    expect(granted).not.toEqual(kinds({}))
  })

  it('never makes a grant from what hostile content led to', () => {
    const { suggestions } = replay({ ...wish, withSuggestions: true })
    const injected = corpus.week.calls.filter((call) => call.injected).flatMap(hostsOf)
    const own = new Set(corpus.week.calls.filter((call) => !call.injected).flatMap(hostsOf))
    const foreign = new Set(injected.filter((host) => !own.has(host)))
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
