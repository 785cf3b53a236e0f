import { idFrom, type Label, operatorLabel, type ToolCatalogue, type ToolFacts } from '@countersign/contract'
import { compilePolicies, type PolicySet } from '@countersign/policy'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HeldRun } from '../store/run-row.ts'
import { type DispatchBench, openDispatchBench, resolved } from '../testing/dispatch-bench.ts'
import { madeFile, madeProgram } from '../testing/made-resources.ts'
import { catalogue as base } from '../testing/test-kernel.ts'
import { authorize, recordIntent } from './authorize.ts'
import type { CallRow } from './call-rows.ts'
import type { Caller, DispatchPorts } from './dispatch-ports.ts'
import type { CallInReview, CallSubstitute } from './middleware.ts'

let bench: DispatchBench
let run: HeldRun
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  run = await bench.run()
})

const look = base.find('look') as ToolFacts
const more: ToolFacts[] = [
  { ...look, name: 'onRecords', runs: 'gateway' },
  { ...look, name: 'question', runs: 'operator' },
  { ...look, name: 'chooser', runs: 'operator', question: () => ({ text: 'Which?', choices: ['a', 'b'] }) },
  { ...look, name: 'quiet', discreet: true },
]
const catalogue: ToolCatalogue = {
  ...base,
  find: (name) => more.find((tool) => tool.name === name) ?? base.find(name),
}
const calls = async (...tools: (string | Partial<CallRow>)[]) => {
  const rows: CallRow[] = []
  for (const tool of tools) rows.push(await bench.call(run, typeof tool === 'string' ? { tool } : tool))
  return rows
}
const judged = (
  rows: readonly CallRow[],
  {
    mayPark = true,
    caller = {},
    ports = {},
  }: { mayPark?: boolean; caller?: Partial<Caller>; ports?: Partial<DispatchPorts> } = {},
) => authorize(bench.caller(run, { catalogue, ...caller }), rows, mayPark, { ...bench.ports, ...ports })
const rowsNow = (rows: readonly CallRow[]) => Promise.all(rows.map(({ id }) => bench.look(id)))
const statesNow = async (rows: readonly CallRow[]) => (await rowsNow(rows)).map(({ state }) => state)
const typesRecorded = () => bench.entries.map(({ type }) => type)
const policyAt = (autonomy: 'full' | 'high') => {
  const { set } = compilePolicies({ autonomy, files: [] }) as { set: PolicySet }
  return { policies: { current: () => set } }
}
const questions = () =>
  bench.store.read(bench.operator, (db) =>
    db.selectFrom('questions').selectAll().where('run_id', '=', run.id).orderBy('id').execute(),
  )
const requests = () =>
  bench.store.read(bench.operator, (db) =>
    db.selectFrom('approvals').selectAll().where('run_id', '=', run.id).orderBy('id').execute(),
  )

describe('a call that policy allows', () => {
  test('is intended with a permit of its own, and the intent is recorded', async () => {
    const rows = await calls('look', 'onRecords')
    const outcome = await judged(rows)
    expect(outcome).toMatchObject({ kind: 'go', held: [] })
    const { intended } = outcome as Extract<typeof outcome, { kind: 'go' }>
    expect(intended.map(({ row }) => row.id)).toEqual(rows.map(({ id }) => id))
    const now = await rowsNow(rows)
    for (const [index, row] of now.entries())
      expect(row).toMatchObject({
        state: 'intended',
        permit: intended[index]?.permit,
        nonce: intended[index]?.permit.subject.nonce,
        decision: { kind: 'allow' },
        outcome: null,
        approval_id: null,
      })
    expect(bench.entries).toMatchObject(
      rows.map(({ id, tool }) => ({
        type: 'effect.intended',
        actor: { kind: 'agent', id: run.id },
        run: run.id,
        session: run.session,
        call: id,
        data: { tool, args: '{}', seal: 'gateway' },
      })),
    )
    expect(bench.entries[0]?.data).not.toHaveProperty('approval')
    expect(bench.entries[0]?.data).not.toHaveProperty('grant')
    expect(bench.events).toMatchObject(rows.map(({ id }) => ({ type: 'call.decided', call: id })))
    expect(bench.parked).toEqual([])
  })

  test('is for the executor that runs its tool', async () => {
    const outcome = await judged(await calls('look', 'onRecords'))
    const { executor, gateway: testKernel } = bench.ports.executors
    expect(outcome).toMatchObject({
      intended: [
        { permit: { subject: { audience: executor.identity, approval: null } } },
        { permit: { subject: { audience: testKernel.identity } } },
      ],
    })
  })

  test('says for whom it is: the run’s requester, or the maker of the tool who may do less', async () => {
    const peer = { kind: 'peer' as const, id: 'ana' }
    const outcome = await judged(await calls('look', { requester: peer }, 'look'))
    expect(outcome).toMatchObject({
      intended: [{}, {}, {}].map((_one, index) => ({
        permit: { subject: { requester: index === 1 ? peer : { kind: 'operator', id: 'desk' } } },
      })),
    })
  })

  test('is asked about where the gateway may not seal it', async () => {
    const rows = await calls('send')
    expect(await judged(rows, { ports: policyAt('full') })).toEqual({ kind: 'parked', on: 'approval' })
    expect(await requests()).toMatchObject([{ tier: 3, state: 'pending' }])
    const boundary = await calls('fetch')
    expect(await judged(boundary, { ports: policyAt('high') })).toMatchObject({
      kind: 'go',
      intended: [{ permit: { subject: { tier: 2, decision: 'allow' } } }],
    })
    expect(bench.entries.at(-1)?.data['grant']).toMatch(/^rule:/)
  })
})

describe('a call that cannot be made', () => {
  test('ends and is told why, and the others go on', async () => {
    const rows = await calls('nothing', 'look', 'fetch')
    bench.resolve = (tool) => (tool === 'fetch' ? { kind: 'invalid', reason: 'No.' } : resolved({}))
    expect(await judged(rows)).toMatchObject({ kind: 'go', intended: [{ row: { id: rows[1]?.id } }] })
    const [missing, , invalid] = await rowsNow(rows)
    for (const row of [missing, invalid])
      expect(row).toMatchObject({ state: 'ended', outcome: 'invalid', decision: null, ended_at: bench.now })
    expect(invalid?.result_text).toBe('No.')
    expect(typesRecorded()).toEqual(['call.impossible', 'effect.intended', 'call.impossible'])
    expect(bench.events.filter(({ type }) => type === 'call.ended')).toMatchObject([
      { call: missing?.id, outcome: 'invalid' },
      { call: invalid?.id, outcome: 'invalid', summary: 'No.' },
    ])
  })

  test('is denied by policy, with the rule that did it', async () => {
    const [row] = await calls('look')
    bench.resolve = () =>
      resolved({
        resources: [madeProgram()],
        effects: [
          {
            verb: 'execute',
            object: 'it',
            scope: 'inside',
            reversible: false,
            outward: false,
            leaves: ['all'],
          },
        ],
      })
    expect(await judged([row as CallRow])).toEqual({ kind: 'go', intended: [], held: [] })
    expect(await bench.look((row as CallRow).id)).toMatchObject({
      state: 'ended',
      outcome: 'denied',
      decision: { kind: 'deny' },
      permit: null,
    })
    expect(bench.entries).toMatchObject([
      { type: 'call.denied', data: { tool: 'look', tier: 3, rules: ['base.uninspectable-network'] } },
    ])
    expect(bench.events).toMatchObject([
      { type: 'call.decided', decision: { kind: 'deny' } },
      { type: 'call.ended', outcome: 'denied' },
    ])
  })
})

describe('what stands around every call', () => {
  const says = (answer: string | CallSubstitute | undefined) => {
    const seen: CallInReview[] = []
    const middleware = [
      {
        name: 'test',
        before: (_unit: unknown, call: CallInReview) => {
          seen.push(call)
          return Promise.resolve(answer)
        },
      },
    ]
    return { seen, ports: { middleware } }
  }

  test('refuses it before policy is heard', async () => {
    const rows = await calls('send')
    expect(await judged(rows, says('Too often.'))).toEqual({ kind: 'go', intended: [], held: [] })
    expect(await rowsNow(rows)).toMatchObject([
      { state: 'ended', outcome: 'denied', decision: null, result_text: 'Too often.' },
    ])
    expect(bench.entries).toMatchObject([
      { type: 'call.refused', data: { tool: 'send', reason: 'Too often.' } },
    ])
    expect(bench.events).toMatchObject([{ type: 'call.ended', outcome: 'denied', summary: 'Too often.' }])
  })

  test('answers in its place, and nothing runs', async () => {
    const rows = await calls('send')
    const instead = { instead: 'As if.', label: operatorLabel }
    expect(await judged(rows, says(instead))).toEqual({ kind: 'go', intended: [], held: [] })
    expect(await rowsNow(rows)).toMatchObject([
      { state: 'ended', outcome: 'ok', decision: null, result_text: 'As if.' },
    ])
    expect(bench.entries).toMatchObject([{ type: 'call.simulated', data: { tool: 'send' } }])
    expect(bench.events).toMatchObject([{ type: 'call.ended', outcome: 'ok', summary: 'As if.' }])
  })

  test('answers with what the answer is worth, and the run takes that in', async () => {
    const label: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['a page'] }
    const caller = bench.caller(run, { catalogue })
    const ports = { ...bench.ports, ...says({ instead: 'As if.', label }).ports }
    await authorize(caller, await calls('send'), true, ports)
    expect(caller.label).toEqual(label)
    const kept = await bench.store.read(bench.operator, (db) =>
      db.selectFrom('runs').select('label').where('id', '=', run.id).executeTakeFirstOrThrow(),
    )
    expect(kept.label).toEqual(label)
  })

  test('is told what the call is, for whom, in which run, and whether it was judged before', async () => {
    const decision = { kind: 'ask' as const, tier: 2 as const, rules: [], raised: [], reason: '' }
    const rows = await calls('fetch', { tool: 'look', decision })
    const { seen, ports } = says(undefined)
    await judged(rows, { ports })
    expect(seen).toMatchObject([
      {
        id: rows[0]?.id,
        tool: { name: 'fetch' },
        args: '{}',
        again: false,
        requester: { kind: 'operator' },
        run: { id: run.id, session: run.session, agent: 'assistant' },
        tier: 2,
        effects: [{ verb: 'fetch' }],
        resources: [{ type: 'url' }],
      },
      { again: true },
    ])
  })
})

describe('a call that policy asks about', () => {
  test('becomes a request, and the run waits for it', async () => {
    const rows = await calls('send')
    expect(await judged(rows)).toEqual({ kind: 'parked', on: 'approval' })
    const [request] = await requests()
    expect(request).toMatchObject({
      call_id: rows[0]?.id,
      state: 'pending',
      agent_says: 'why',
      replaces: null,
    })
    expect(request?.id).toMatch(/^apr_/)
    expect(await rowsNow(rows)).toMatchObject([
      { state: 'asked', approval_id: request?.id, permit: null, decision: { kind: 'ask' } },
    ])
    expect(bench.parked).toEqual(['approval'])
    expect(bench.events).toMatchObject([{ type: 'call.decided' }, { type: 'approval.requested' }])
  })

  test('says which request of the operator’s it replaces', async () => {
    const replaced = idFrom('apr', '00000000-0000-7000-8000-000000000009')
    await judged(await calls({ tool: 'send', edited_from: replaced }))
    expect(await requests()).toMatchObject([{ replaces: replaced }])
  })

  test.each([
    ['others can go on', ['send', 'look'], true],
    ['others of the turn are still under way', ['send'], false],
  ] as const)('does not stop the run while %s', async (_title, tools, mayPark) => {
    const rows = await calls(...tools)
    const outcome = await judged(rows, { mayPark })
    expect(outcome).toMatchObject({ kind: 'go', held: [] })
    expect((await statesNow(rows))[0]).toBe('asked')
    expect(bench.parked).toEqual([])
  })

  test('does not stop the run while another call waits for it to be judged', async () => {
    const write = madeFile('a', 'write')
    const found = bench.resolve
    bench.resolve = (tool, args) => {
      const reply = found(tool, args)
      if (reply?.kind !== 'resolved') return reply
      return { ...reply, resolution: { ...reply.resolution, resources: [write] } }
    }
    const rows = await calls('send', 'look')
    expect(await judged(rows)).toEqual({ kind: 'go', intended: [], held: [] })
    expect(await statesNow(rows)).toEqual(['asked', 'proposed'])
    expect(bench.parked).toEqual([])
  })

  test('stays proposed with its decision when five wait already', async () => {
    const rows = await calls(...Array.from({ length: 7 }, () => 'send'))
    const outcome = await judged(rows, { mayPark: false })
    expect(outcome).toEqual({ kind: 'go', intended: [], held: rows.slice(5).map(({ id }) => id) })
    expect(await statesNow(rows)).toEqual([
      ...Array.from({ length: 5 }, () => 'asked'),
      'proposed',
      'proposed',
    ])
    expect((await bench.look(rows[6]?.id as never)).decision).toMatchObject({ kind: 'ask' })
    expect(await requests()).toHaveLength(5)
    expect(bench.events.filter(({ type }) => type === 'call.decided')).toHaveLength(5)
    const looks = await calls('look')
    expect(await judged(looks)).toMatchObject({ intended: [{ row: { id: looks[0]?.id } }] })
  })
})

describe('a question to the operator', () => {
  test('waits for an answer, in the tool’s own words or under its headline', async () => {
    const rows = await calls('question', 'chooser')
    expect(await judged(rows)).toEqual({ kind: 'parked', on: 'question' })
    expect(bench.parked).toEqual(['question'])
    expect(await rowsNow(rows)).toMatchObject([
      { state: 'asked', approval_id: null, permit: null },
      { state: 'asked', approval_id: null, permit: null },
    ])
    expect(await questions()).toMatchObject([
      { kind: 'operator', call_id: rows[0]?.id, text: 'look {}', choices: [], state: 'open' },
      { kind: 'operator', call_id: rows[1]?.id, text: 'Which?', choices: ['a', 'b'] },
    ])
  })

  test('takes room as a request does', async () => {
    const rows = await calls(...Array.from({ length: 6 }, () => 'question'))
    const outcome = await judged(rows, { mayPark: false })
    expect(outcome).toMatchObject({ held: [rows[5]?.id] })
    expect(await questions()).toHaveLength(5)
  })
})

describe('a grant', () => {
  const grantOf = async (change: { max_uses?: number; expires_at?: Date } = {}) => {
    const id = idFrom('gr', crypto.randomUUID())
    const [request] = await requests()
    await bench.within(({ db }) =>
      db
        .insertInto('grants')
        .values({
          operator_id: bench.operator,
          id,
          tool: 'fetch',
          covers: JSON.stringify([{ type: 'tool' }]),
          sentence: '',
          run_id: run.id,
          approval_id: request?.id as never,
          created_at: bench.now,
          expires_at: new Date(bench.now.getTime() + 60_000),
          max_uses: 1,
          ...change,
        } as never)
        .execute(),
    )
    return id
  }

  test('is spent by the call that it allows, and named in the intent; used up, the next one asks', async () => {
    await judged(await calls('fetch'))
    const grant = await grantOf()
    const rows = await calls('fetch', 'fetch')
    const outcome = await judged(rows, { mayPark: false })
    expect(outcome).toMatchObject({ kind: 'go', intended: [{ permit: { subject: { grant } } }] })
    expect(await rowsNow(rows)).toMatchObject([
      { state: 'intended', decision: { kind: 'allow', grant } },
      { state: 'asked', decision: { kind: 'ask' } },
    ])
    expect((await bench.look(rows[1]?.id as never)).decision).not.toHaveProperty('grant')
    const intents = bench.entries.filter(({ type }) => type === 'effect.intended')
    expect(intents).toMatchObject([{ data: { grant } }])
  })
})

describe('a run that is told to hold', () => {
  test('judges nothing when it is to stop', async () => {
    bench.pendingControls = { stop: true, pause: true, words: false }
    const rows = await calls('look')
    expect(await judged(rows)).toEqual({ kind: 'stopped' })
    expect(await statesNow(rows)).toEqual(['proposed'])
    expect(bench.parked).toEqual([])
  })

  test('is parked when it is to pause, and judges nothing', async () => {
    bench.pendingControls = { stop: false, pause: true, words: false }
    const rows = await calls('look')
    expect(await judged(rows)).toEqual({ kind: 'parked', on: 'paused' })
    expect(await statesNow(rows)).toEqual(['proposed'])
    expect(bench.parked).toEqual(['paused'])
    expect(bench.entries).toEqual([])
  })
})

describe('the record of an intent', () => {
  const intentOf = async (tool: string, args: string, change: object = {}) => {
    const [row] = await calls({ tool, args })
    const outcome = await judged([row as CallRow])
    const { permit } = (outcome as Extract<typeof outcome, { kind: 'go' }>).intended[0] ?? {}
    if (!permit) throw new Error('it was not intended')
    bench.entries.length = 0
    const changed = { ...permit, subject: { ...permit.subject, ...change } }
    await bench.within((unit) => {
      recordIntent(unit, bench.caller(run, { catalogue }), row as CallRow, changed, 'digest')
      return Promise.resolve()
    })
    return { data: bench.entries[0]?.data, permit }
  }

  test('holds what was sealed, and the beginning of long arguments', async () => {
    const long = JSON.stringify({ a: 'x'.repeat(3_000) })
    const { data, permit } = await intentOf('look', long)
    const { nonce, key, policy, argsHash, rules } = permit.subject
    expect(data).toMatchObject({
      tool: 'look',
      tier: 0,
      digest: 'digest',
      nonce,
      key,
      policy,
      argsHash,
      rules,
    })
    expect(data?.['args']).toBe(long.slice(0, 1_000))
  })

  test('leaves the arguments of a discreet tool out', async () => {
    expect((await intentOf('quiet', '{"a":1}')).data).not.toHaveProperty('args')
  })

  test('names the approval that it was made under', async () => {
    const approval = idFrom('apr', '00000000-0000-7000-8000-000000000009')
    expect((await intentOf('look', '{}', { approval })).data).toMatchObject({ approval })
  })
})
