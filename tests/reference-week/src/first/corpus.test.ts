import { confidentialityOrder, integrityOrder } from '@countersign/contract'
import { builtinTools, parseArgs } from '@countersign/tools'
import { describe, expect, it } from 'vitest'
import { hostsOf } from '../judge.ts'
import { isGuarded } from '../replay.ts'
import { readCorpus } from './corpus.ts'
import type { LabelledCall } from './labelled-call.ts'
import { definitionOf } from './world.ts'

const corpus = readCorpus()
const parts = { week: corpus.week, holdout: corpus.holdout }
const every = [...corpus.week.calls, ...corpus.holdout.calls]

describe.each([
  ['week', { calls: 1000, guarded: 120, injected: 60, monday: '2026-03-02' }],
  ['holdout', { calls: 300, guarded: 36, injected: 18, monday: '2026-05-04' }],
] as const)('the %s', (name, size) => {
  const { calls, runs } = parts[name]

  it('has the calls that it should, in the mix that it should', () => {
    expect(calls).toHaveLength(size.calls)
    const counts = Object.entries(corpus.mix).map(([category, share]) => [
      category,
      (share * size.calls) / 100,
    ])
    const found = Map.groupBy(calls, ({ category }) => category)
    expect(Object.fromEntries([...found].map(([category, some]) => [category, some.length]))).toEqual(
      Object.fromEntries(counts),
    )
  })

  it('has enough that must not run unasked, and enough that hostile content led to', () => {
    expect(calls.filter(isGuarded).length).toBeGreaterThanOrEqual(size.guarded)
    const injected = calls.filter((call) => call.injected)
    expect(injected.length).toBeGreaterThanOrEqual(size.injected)
    expect(injected.filter(({ label }) => label.integrity !== 'untrusted')).toEqual([])
  })

  it('goes from Monday to Sunday, in order, with ids that are taken once', () => {
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
    expect(calls.map(({ at }) => at)).toEqual(calls.map(({ at }) => at).toSorted())
    const days = new Set(calls.map(({ at }) => at.slice(0, 10)))
    expect([...days]).toHaveLength(7)
    expect([...days][0]).toBe(size.monday)
  })

  it('has runs of one goal, one agent and one requester, each with the words that began it', () => {
    const found = Map.groupBy(calls, ({ run }) => run)
    expect([...found.keys()].toSorted()).toEqual([...runs.keys()].toSorted())
    for (const some of found.values()) {
      const heads = some.map(({ goal, agent, requester, unattended }) => [goal, agent, requester, unattended])
      expect(new Set(heads.map((head) => JSON.stringify(head))).size).toBe(1)
    }
  })

  it('never trusts a run more, or holds it less private, than it did before', () => {
    for (const some of Map.groupBy(calls, ({ run }) => run).values()) {
      const own = some.filter(({ injected }) => !injected)
      for (const [index, call] of own.entries()) {
        const before = own[index - 1]
        if (before)
          expect(worthOf(call), `${before.id} to ${call.id}`).toSatisfy(isNoBetterThan(worthOf(before)))
      }
    }
  })
})

describe('every call', () => {
  it('is of a tool of the catalogue or a declared one; others are refused', () => {
    const unknown = every.filter(({ tool }) => corpus.tool(tool) === undefined)
    expect(unknown.filter(({ tool, refused }) => refused !== `There is no tool ${tool}.`)).toEqual([])
    expect(unknown.filter(({ expected }) => expected !== 'must-deny')).toEqual([])
  })

  it('has arguments that its tool takes', () => {
    const wrong = every.flatMap(({ id, tool, args }) => {
      const definition = definitionOf(tool)
      const parsed = definition && parseArgs(definition, args)
      return parsed?.kind === 'invalid' ? [`${id} ${tool}: ${parsed.problems.join('; ')}`] : []
    })
    expect(wrong).toEqual([])
  })

  it('that its tool refuses is one that must be denied', () => {
    expect(every.filter(({ refused, expected }) => refused !== null && expected !== 'must-deny')).toEqual([])
  })

  it('says whence its address is where it fetches one by an address, and only there', () => {
    const byAddress = new Set(['fetch_web_page', 'json_api', 'browser_navigate', 'download_file'])
    expect(every.filter(({ tool, address }) => byAddress.has(tool) !== (address !== null))).toEqual([])
  })
})

it('declares no tool that the catalogue has', () => {
  const names = new Set(builtinTools.map(({ name }) => name))
  expect(corpus.declared.filter(({ name }) => names.has(name))).toEqual([])
})

it('holds out other people, other hosts and other folders than the week has', () => {
  const shared = (of: (call: LabelledCall) => string[]) => {
    const known = new Set(corpus.week.calls.flatMap(of))
    return [...new Set(corpus.holdout.calls.flatMap(of))].filter((one) => known.has(one))
  }
  const services = new Set(['api.search.brave.com', 'pypi.org', 'files.pythonhosted.org', '192.168.1.1'])
  expect(shared(hostsOf).filter((host) => !services.has(host))).toEqual([])
  expect(
    shared(({ resources }) => resources.flatMap((one) => (one.type === 'peer' ? [one.peer] : []))),
  ).toEqual([])
  const folders = shared(({ resources }) =>
    resources.flatMap((one) =>
      one.type === 'file' && one.root === 'workspace' && one.path.includes('/') ? [one.path] : [],
    ),
  )
  expect(folders).toEqual([])
  expect(
    shared(({ run }) => [parts.week.runs.get(run)?.message ?? parts.holdout.runs.get(run)?.message ?? ''])
      .length,
  ).toBe(0)
})

const worthOf = ({ label }: LabelledCall) => [
  integrityOrder.indexOf(label.integrity),
  confidentialityOrder.indexOf(label.confidentiality),
]

const isNoBetterThan = (before: readonly number[]) => (after: readonly number[]) =>
  after.every((worth, index) => worth >= (before[index] ?? 0))
