import type { PolicyDocument } from '@countersign/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import { createPolicies, type Policies } from './policies.ts'

let bench: DispatchBench
let told: PolicyDocument[]

beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())

const actor = { kind: 'operator' as const, id: 'dev_desk' }
const rule = 'forbid (principal, action, resource) when { context.outward };'
const documentOf = (change: Partial<PolicyDocument> = {}): PolicyDocument => ({
  autonomy: 'medium',
  files: [],
  passkeyTools: [],
  ...change,
})

/** As after a start: what the files say is loaded first. */
async function open(files: Partial<PolicyDocument> = {}): Promise<Policies> {
  told = []
  bench.clear()
  const policies = createPolicies({
    store: bench.store,
    operator: bench.operator,
    changed: (_set, document) => told.push(document),
  })
  await policies.load(documentOf(files))
  return policies
}

const change = (
  policies: Policies,
  document: PolicyDocument,
  base = policies.version().number,
  mayLoosen = true,
) => policies.change({ base, document, actor, seal: null, mayLoosen })

describe('a change', () => {
  test('is a version with its author, and an entry that binds every byte', async () => {
    const policies = await open()
    const before = policies.version().number
    await change(policies, documentOf({ files: [{ name: 'mine.cedar', text: rule }] }))
    const version = policies.version()
    expect(version).toMatchObject({ number: before + 1, by_id: 'dev_desk', written_at: null, loosens: [] })
    expect(policies.current().hash).toBe(version.hash)
    expect(told.at(-1)?.files).toEqual([{ name: 'mine.cedar', text: rule }])
    expect(bench.entries.at(-1)).toMatchObject({
      type: 'policy.changed',
      actor,
      data: { version: before + 1, digest: version.digest, files: ['mine.cedar'] },
    })
    expect(bench.events.at(-1)).toEqual({ type: 'policy.changed', version: before + 1 })
    await policies.written(version.number)
  })

  test('says what it lets through', async () => {
    const policies = await open()
    const { version } = await change(policies, documentOf({ autonomy: 'high' }))
    expect(version.loosens).toEqual([{ kind: 'level', from: 'medium', to: 'high' }])
    await policies.written(version.number)
  })

  test('is refused when it was made from another version, and when it does not compile', async () => {
    const policies = await open({ autonomy: 'low' })
    const { number, digest } = policies.version()
    await expect(change(policies, documentOf(), number - 1)).rejects.toThrow('changed meanwhile')
    await expect(
      change(policies, documentOf({ files: [{ name: 'x.cedar', text: 'permit (' }] })),
    ).rejects.toThrow('x.cedar:1')
    expect(policies.version()).toMatchObject({ number, digest })
    expect(policies.current().autonomy).toBe('low')
  })

  test('made twice at once from the same version happens once', async () => {
    const policies = await open({ autonomy: 'low' })
    const base = policies.version().number
    const both = await Promise.allSettled([
      change(policies, documentOf({ autonomy: 'none' }), base),
      change(policies, documentOf({ autonomy: 'medium' }), base),
    ])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(policies.current().autonomy).toBe('none')
    await policies.written(policies.version().number)
  })
})

describe('a change by whoever may not loosen', () => {
  test('is held against the version that it replaces, not against the one that was in force as it was sent', async () => {
    const policies = await open({ autonomy: 'high' })
    const base = policies.version().number
    const [tightened, between] = await Promise.allSettled([
      change(policies, documentOf({ autonomy: 'none' }), base, false),
      // Beside the version in force when it is sent this only asks more.
      change(policies, documentOf({ autonomy: 'medium' }), base + 1, false),
    ])
    expect(tightened.status).toBe('fulfilled')
    expect(between).toMatchObject({ status: 'rejected', reason: { code: 'step_up_needed' } })
    expect(policies.current().autonomy).toBe('none')
    expect(policies.version().number).toBe(base + 1)
    await policies.written(base + 1)
  })

  test('leaves neither a row nor an entry when it is refused', async () => {
    const policies = await open({ autonomy: 'low' })
    const before = await policies.versions(bench.operator)
    bench.clear()
    await expect(
      change(policies, documentOf({ autonomy: 'full' }), policies.version().number, false),
    ).rejects.toMatchObject({ code: 'step_up_needed' })
    expect(bench.entries).toEqual([])
    expect(await policies.versions(bench.operator)).toEqual(before)
  })
})

describe('after a start', () => {
  test('a version that the files were not told of stands above them', async () => {
    const policies = await open({ autonomy: 'medium' })
    await change(policies, documentOf({ autonomy: 'none' }))
    const again = await open({ autonomy: 'medium' })
    expect(again.current().autonomy).toBe('none')
    await again.written(again.version().number)
  })

  test('files that a person changed afterwards hold, as a version of the gateway', async () => {
    const policies = await open({ autonomy: 'none' })
    const { version } = await change(policies, documentOf({ autonomy: 'low' }))
    await policies.written(version.number)
    const again = await open({ autonomy: 'high' })
    expect(again.version()).toMatchObject({ number: version.number + 1, by_kind: 'gateway' })
    expect(again.current().autonomy).toBe('high')
  })

  test('the same files are the same version', async () => {
    const policies = await open({ autonomy: 'high' })
    const { number } = policies.version()
    expect((await open({ autonomy: 'high' })).version().number).toBe(number)
    expect(bench.entries).toEqual([])
    expect((await policies.versions(bench.operator))[0]?.number).toBe(number)
    expect((await policies.find(bench.operator, number)).document.autonomy).toBe('high')
  })
})
