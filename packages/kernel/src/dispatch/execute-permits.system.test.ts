import {
  type ExecutorPort,
  type ExecutorReply,
  type Label,
  operatorLabel,
  type Permit,
  type ToolCatalogue,
  type ToolFacts,
  type ToolResult,
} from '@countersign/contract'
import { compilePolicies, type PolicySet } from '@countersign/policy'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HeldRun } from '../store/run-row.ts'
import { type DispatchBench, done, openDispatchBench, resolved } from '../testing/dispatch-bench.ts'
import { madeFile, madeProgram } from '../testing/made-resources.ts'
import { catalogue as base, madeOf } from '../testing/test-kernel.ts'
import { authorize, type IntendedCall } from './authorize.ts'
import type { CallRow } from './call-rows.ts'
import type { Caller, DispatchPorts } from './dispatch-ports.ts'
import { executePermits } from './execute-permits.ts'
import type { EndedCallFacts } from './middleware.ts'

let bench: DispatchBench
let run: HeldRun
const { set } = compilePolicies({ autonomy: 'high', files: [] }) as { set: PolicySet }
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  await bench.within(async ({ db }) => {
    await db.deleteFrom('file_labels').execute()
    await db.updateTable('runs').set({ state: 'stopped' }).execute()
  })
  run = await bench.run()
})

const startedAt = '2026-01-01T00:00:00.000Z'
const stranger: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }
const look = base.find('look') as ToolFacts
const more: ToolFacts[] = [
  { ...look, name: 'onRecords', runs: 'gateway' },
  { ...look, name: 'reader', output: stranger },
  { ...(base.find('fetch') as ToolFacts), output: stranger },
]
const catalogue: ToolCatalogue = {
  ...base,
  find: (name) => more.find((tool) => tool.name === name) ?? base.find(name),
}
const callerOf = (change: Partial<Caller> = {}) => bench.caller(run, { catalogue, ...change })
const portsWith = (change: Partial<DispatchPorts> = {}): DispatchPorts => ({
  ...bench.ports,
  policies: { current: () => set },
  ...change,
})
/** Calls with their permits spent. */
const intend = async (...changes: (string | Partial<CallRow>)[]): Promise<readonly IntendedCall[]> => {
  const rows: CallRow[] = []
  for (const change of changes)
    rows.push(await bench.call(run, typeof change === 'string' ? { tool: change } : change))
  const judged = await authorize(callerOf(), rows, false, portsWith())
  if (judged.kind !== 'go' || judged.intended.length < rows.length) throw new Error('not all are intended')
  bench.entries.length = 0
  bench.events.length = 0
  return judged.intended
}
const performed = (
  intended: readonly IntendedCall[],
  { caller = callerOf(), ports = {} }: { caller?: Caller; ports?: Partial<DispatchPorts> } = {},
) => executePermits(caller, intended, new AbortController().signal, portsWith(ports))
const result = (change: Partial<ToolResult>): ExecutorReply => ({
  kind: 'done',
  startedAt,
  endedAt: startedAt,
  result: { ok: true, text: 'text', summary: 'summary', undo: null, ...change },
})
const one = async (tool: string | Partial<CallRow>, reply: ExecutorReply, caller = callerOf()) => {
  const intended = await intend(tool)
  bench.answer = () => reply
  const outcome = await performed(intended, { caller })
  const row = await bench.look(intended[0]?.row.id as never)
  return { outcome, row, caller }
}
const runLabel = () =>
  bench.store.read(bench.operator, async (db) => {
    const { label } = await db
      .selectFrom('runs')
      .select('label')
      .where('id', '=', run.id)
      .executeTakeFirstOrThrow()
    return label
  })
const marks = () =>
  bench.store.read(bench.operator, (db) =>
    db.selectFrom('file_labels').select(['path', 'label', 'cleared_by']).orderBy('path').execute(),
  )

describe('an executor', () => {
  test('is told which permits an earlier life may have sent', async () => {
    const told: boolean[] = []
    const executor: ExecutorPort = {
      ...bench.ports.executors.executor,
      async execute(permits, _signal, replied, sentBefore) {
        for (const index of permits.keys()) {
          told.push(sentBefore?.(index) ?? true)
          replied(index, result({}))
        }
        await Promise.resolve()
      },
    }
    const ports = { executors: { ...bench.ports.executors, executor } }
    await performed(await intend('look'), { ports })
    const [begun] = await intend('look')
    if (!begun) throw new Error('nothing was intended')
    // As it is found in the table by whoever takes the run over.
    await performed([{ ...begun, row: await bench.look(begun.row.id) }], { ports })
    expect(told).toEqual([false, true])
  })
})

describe('a call that was done', () => {
  test('ends with what the executor told, without hidden values, and is recorded', async () => {
    const undo = { tool: 'change', args: '{}' }
    const reply = result({ text: 'a hidden b', summary: 'hidden', undo })
    const { outcome, row } = await one('look', reply)
    expect(row).toMatchObject({
      state: 'ended',
      outcome: 'ok',
      result_text: 'a … b',
      summary: '…',
      started_at: new Date(startedAt),
      ended_at: bench.now,
      undo,
      output_label: operatorLabel,
    })
    expect(outcome.ended).toMatchObject([{ id: row.id, outcome: 'ok', text: 'a … b' }])
    expect(outcome.control).toEqual({ stop: false, pause: false, steering: [] })
    expect(bench.entries).toMatchObject([
      {
        type: 'effect.outcome',
        call: row.id,
        data: {
          tool: 'look',
          tier: 0,
          nonce: row.permit?.subject.nonce,
          key: row.permit?.subject.key,
          result: 'ok',
          summary: '…',
          started: startedAt,
          undoable: true,
        },
      },
    ])
    expect(bench.events).toMatchObject([
      { type: 'call.ended', call: row.id, outcome: 'ok', summary: '…', undoable: true },
    ])
  })

  test('has failed when its tool says so, and cannot be taken back without an undo', async () => {
    const { row } = await one('look', result({ ok: false, summary: 'x'.repeat(900) }))
    expect(row.outcome).toBe('failed')
    expect(bench.entries[0]?.data).toMatchObject({ result: 'failed', undoable: false })
    expect(bench.entries[0]?.data['summary']).toHaveLength(500)
  })

  test('says what people ask of the run, unless words wait', async () => {
    const first = await intend('look')
    const second = await intend('look')
    bench.pendingControls = { stop: true, pause: true, words: false }
    expect((await performed(first)).control).toEqual({ stop: true, pause: true, steering: [] })
    bench.pendingControls = { stop: false, pause: false, words: true }
    expect((await performed(second)).control).toBe(undefined)
  })

  test('was sent to the executor that its permit names', async () => {
    await performed(await intend('look', 'onRecords'))
    const sent = bench.sent.map(({ by, permit }) => `${by}: ${permit.subject.tool.name}`)
    expect(sent.toSorted()).toEqual(['executor: look', 'gateway: onRecords'])
  })

  test('is told to what stands around it, with how long it took and for whom', async () => {
    const told: unknown[] = []
    const middleware = [
      {
        name: 'test',
        after: (_unit: unknown, call: EndedCallFacts, end: object) => {
          told.push([call.id, call.tool.name, call.requester, end])
          return Promise.resolve()
        },
      },
    ]
    const peer = { kind: 'peer' as const, id: 'ana' }
    const intended = await intend('look', { tool: 'look', requester: peer }, 'look')
    bench.now = new Date(Date.parse(startedAt) + 1_500)
    let sent = 0
    bench.answer = () => {
      sent += 1
      return sent === 3 ? { kind: 'refused', reason: 'no' } : result({})
    }
    await performed(intended, { ports: { middleware } })
    expect(told).toEqual([
      [intended[0]?.row.id, 'look', { kind: 'operator', id: 'desk' }, { outcome: 'ok', ms: 1_500 }],
      [intended[1]?.row.id, 'look', peer, { outcome: 'ok', ms: 1_500 }],
      [intended[2]?.row.id, 'look', { kind: 'operator', id: 'desk' }, { outcome: 'refused', ms: null }],
    ])
  })

  test('is not counted for a run that another segment has taken over', async () => {
    const intended = await intend('look')
    await bench.within(({ db }) =>
      db.updateTable('runs').set({ fence: 9 }).where('id', '=', run.id).execute(),
    )
    await expect(performed(intended)).rejects.toThrow(/another segment/)
    expect((await bench.look(intended[0]?.row.id as never)).state).toBe('intended')
  })
})

test('a call that the executor refused ends with the reason, and brings nothing in', async () => {
  const { row, outcome } = await one('reader', { kind: 'refused', reason: 'hidden reason' })
  expect(row).toMatchObject({
    state: 'ended',
    outcome: 'refused',
    summary: '… reason',
    started_at: null,
    output_label: null,
  })
  expect(row.result_text).toContain('… reason')
  expect(outcome.ended).toHaveLength(1)
  expect(await runLabel()).toEqual(operatorLabel)
})

describe('a call of which nobody saw the end', () => {
  const unknown: ExecutorReply = { kind: 'unknown', startedAt, reason: 'Nobody answered.' }
  const questions = () =>
    bench.store.read(bench.operator, (db) =>
      db.selectFrom('questions').selectAll().where('run_id', '=', run.id).execute(),
    )

  test('is asked about where it must not happen twice', async () => {
    const { row, outcome } = await one('fetch', unknown)
    expect(row).toMatchObject({
      state: 'unknown',
      outcome: 'unknown',
      started_at: new Date(startedAt),
      output_label: null,
    })
    expect(outcome.ended).toMatchObject([{ state: 'unknown' }])
    const [question] = await questions()
    expect(question).toMatchObject({
      kind: 'unknown',
      call_id: row.id,
      choices: ['done', 'not done', 'try again'],
    })
    expect(question?.text).toContain(startedAt)
    expect(question?.text).toContain('Nobody answered.')
  })

  test('is tried once more where it may happen twice, under a permit of its own; then it has ended', async () => {
    const caller = callerOf()
    const { row, outcome } = await one('look', unknown, caller)
    expect(row).toMatchObject({
      state: 'proposed',
      permit: null,
      nonce: null,
      approval_id: null,
      intended_at: null,
    })
    expect(outcome.ended).toEqual([])
    expect(bench.entries).toMatchObject([{ type: 'effect.outcome', data: { result: 'unknown' } }])
    expect(bench.events).toEqual([])
    const judged = await authorize(caller, [row], false, portsWith())
    if (judged.kind !== 'go') throw new Error('it was not judged')
    const again = await performed(judged.intended, { caller })
    expect(again.ended).toMatchObject([{ state: 'ended', outcome: 'unknown' }])
    expect(await questions()).toEqual([])
  })

  test('leaves what its tool brings in on the files that it may have written', async () => {
    bench.resolve = () =>
      resolved({
        resources: [madeFile('a', 'write')],
      })
    await one('reader', unknown)
    expect(await marks()).toMatchObject([{ path: 'a', label: { integrity: 'untrusted' } }])
  })
})

describe('a script of a skill whose end nobody saw', () => {
  const skill = { type: 'extension', kind: 'skill', name: 'letters', op: 'use', entry: null } as const
  test.each([
    [{ ...skill, unreviewed: true } as const, ['a']],
    [skill, []],
  ])('leaves strangers’ words where it was not reviewed', async (used, marked) => {
    bench.resolve = () => resolved({ resources: [used, madeFile('a', 'write')] })
    await one('change', { kind: 'unknown', startedAt, reason: 'Nobody answered.' })
    expect((await marks()).map(({ path }) => path)).toEqual(marked)
  })
})

describe('a permit whose executor went away', () => {
  test('is sent again, the same one, after a pause, and only that one', async () => {
    const intended = await intend('look', 'change')
    const waited: number[] = []
    let lost = 2
    bench.answer = (permit) => {
      if (permit.subject.tool.name === 'change') return done(permit)
      lost -= 1
      return lost >= 0 ? { kind: 'lost' } : done(permit)
    }
    const wait = (ms: number) => {
      waited.push(ms)
      return Promise.resolve()
    }
    const { ended } = await performed(intended, { ports: { wait } })
    expect(waited).toEqual([250, 250])
    expect(bench.sent.map(({ permit }) => permit.subject.tool.name).toSorted()).toEqual([
      'change',
      'look',
      'look',
      'look',
    ])
    expect(new Set(bench.sent.map(({ permit }) => permit.subject.nonce)).size).toBe(2)
    expect(ended.map(({ outcome }) => outcome)).toEqual(['ok', 'ok'])
  })

  test('is sent forty times; then nobody knows its end', async () => {
    const { row } = await one('fetch', { kind: 'lost' })
    expect(bench.sent).toHaveLength(40)
    expect(row).toMatchObject({ state: 'unknown', outcome: 'unknown', started_at: null })
  })
})

describe('what a call brought in', () => {
  test('is as trusted as its tool says, and the run with it', async () => {
    const { row, caller } = await one('reader', result({}))
    expect(row.output_label).toEqual(stranger)
    expect(await runLabel()).toMatchObject({ integrity: 'untrusted', sources: ['web'] })
    expect(caller.label).toEqual(await runLabel())
  })

  test('leaves a trusted run as it is when it is trusted', async () => {
    const { caller } = await one('look', result({}))
    expect(await runLabel()).toEqual(operatorLabel)
    expect(caller.label).toEqual(operatorLabel)
  })

  test('names the hosts that it came from, no more than eight', async () => {
    const hosts = Array.from({ length: 9 }, (_none, index) => `h${index}.example.org`)
    const url = base.find('fetch') && bench.resolve('fetch', '{}')
    if (url?.kind !== 'resolved') throw new Error('there is no address')
    const [first] = url.resolution.resources
    bench.resolve = () => ({
      ...url,
      resolution: {
        ...url.resolution,
        resources: hosts.map((host) => ({ ...first, host }) as NonNullable<typeof first>),
      },
    })
    expect((await one('fetch', result({}))).row.output_label?.sources).toEqual(hosts.slice(0, 8))
  })

  test('names no host where the answer is the operator’s own', async () => {
    const own = { ...catalogue, find: base.find }
    const { row } = await one('fetch', result({}), callerOf({ catalogue: own }))
    expect(row.output_label?.sources).toEqual(operatorLabel.sources)
  })

  test('is no better than its executor says of it', async () => {
    const { row } = await one('look', result({ label: stranger }))
    expect(row.output_label).toEqual(stranger)
  })

  test('is a stranger’s when the tool was switched off meanwhile', async () => {
    const none = { ...catalogue, find: () => undefined }
    const { row } = await one('look', result({}), callerOf({ catalogue: none }))
    expect(row.output_label).toEqual({
      integrity: 'untrusted',
      confidentiality: 'private',
      sources: ['look'],
    })
  })

  test.each([
    ['text', { text: 'it is ‹secret:key›' }],
    ['summary', { summary: '‹secret:key›' }],
  ])('is secret when a value was taken out of its %s', async (_title, change) => {
    const { row } = await one('look', result(change))
    expect(row.output_label).toMatchObject({ integrity: 'operator', confidentiality: 'secret' })
  })

  test('is private when a secret opened it', async () => {
    const intended = await intend('look')
    const opened = intended.map(({ row, permit }) => ({
      row,
      permit: { ...permit, subject: { ...permit.subject, secrets: ['key'] } } as Permit,
    }))
    await performed(opened)
    expect((await bench.look(opened[0]?.row.id as never)).output_label).toMatchObject({
      integrity: 'operator',
      confidentiality: 'private',
    })
  })
})

describe('the files of a call', () => {
  const touching = (op: 'read' | 'write') => {
    bench.resolve = () =>
      resolved({
        resources: [madeFile('a', op)],
      })
  }
  const markStranger = () =>
    bench.within(({ db }) =>
      db
        .insertInto('file_labels')
        .values({
          operator_id: bench.operator,
          path: 'a',
          label: JSON.stringify(stranger),
          marked_at: bench.now,
        })
        .execute(),
    )

  test('bring in what they are worth', async () => {
    await markStranger()
    touching('read')
    const { row } = await one('look', result({}))
    expect(row.output_label).toEqual(stranger)
    expect(await runLabel()).toMatchObject({ integrity: 'untrusted' })
  })

  test('are marked when the run has read strangers’ text, and not when it has not', async () => {
    touching('write')
    await one('look', result({}))
    expect(await marks()).toEqual([])
    run = await bench.run({ label: stranger })
    await one('look', result({}))
    expect(await marks()).toMatchObject([{ path: 'a', label: { integrity: 'untrusted' } }])
  })

  test('are marked with what was read beside them, also where nobody saw the end', async () => {
    await markStranger()
    bench.resolve = () => resolved({ resources: [madeFile('a'), madeFile('b', 'write')] })
    await one('look', { kind: 'unknown', startedAt })
    expect(await marks()).toMatchObject([{ path: 'a' }, { path: 'b', label: { integrity: 'untrusted' } }])
  })

  test('are marked with what the executor saw change', async () => {
    const program = madeProgram({ uninspectable: false })
    bench.resolve = () => resolved({ resources: [program], sandbox: 'workspace-write:x' })
    await one('reader', result({ files: { found: [], changed: ['out'] } }))
    expect((await marks()).map(({ path }) => path)).toEqual(['out'])
  })

  test('get their marks back when the write that covered them is taken back', async () => {
    await markStranger()
    touching('write')
    const { row: covering } = await one('look', result({}))
    expect(await marks()).toMatchObject([{ path: 'a', cleared_by: covering.id }])
    run = await bench.run({ kind: 'undo' })
    await one({ tool: 'look', model_id: covering.id }, result({}))
    const open = (await marks()).filter(({ cleared_by }) => cleared_by === null)
    expect(open).toMatchObject([{ path: 'a', label: stranger }])
  })
})

describe('a tool that asks for calls', () => {
  const asks = (count: number, tool = 'look') =>
    result({ calls: Array.from({ length: count }, () => ({ tool, args: '{}' })) })

  test('waits for them, and the run is worth no more than what they were made from', async () => {
    const { row, outcome, caller } = await one('look', asks(2, 'made'))
    expect(row).toMatchObject({ state: 'waiting', outcome: null })
    expect(outcome.ended).toEqual([])
    expect(bench.entries).toMatchObject([{ type: 'call.waits', data: { tool: 'look', calls: 2 } }])
    expect(caller.label).toMatchObject(madeOf)
    expect(await runLabel()).toMatchObject(madeOf)
  })

  test('has ended when it asks for none', async () => {
    expect((await one('look', asks(0))).row).toMatchObject({ state: 'ended', outcome: 'ok' })
  })

  test('has failed when they cannot be made', async () => {
    const { row } = await one('look', asks(61))
    expect(row).toMatchObject({ state: 'ended', outcome: 'failed' })
    expect(row.summary).not.toBe('')
    expect(row.result_text).toBe(row.summary)
  })
})

describe('outcomes', () => {
  const counted = () => {
    let units = 0
    const store: typeof bench.store = {
      ...bench.store,
      transact: (operator, work) => {
        units += 1
        return bench.store.transact(operator, work)
      },
    }
    return { store, units: () => units }
  }

  test('that come together are written together', async () => {
    const intended = await intend('look', 'change', 'look')
    const { store, units } = counted()
    const { ended } = await performed(intended, { ports: { store } })
    expect(ended).toHaveLength(3)
    expect(units()).toBe(1)
  })

  test('are seen soon, without waiting for a slow one', async () => {
    const intended = await intend('look', 'change')
    const slow = Promise.withResolvers<void>()
    bench.answer = async (permit) => {
      if (permit.subject.tool.name === 'change') await slow.promise
      return done(permit)
    }
    const both = performed(intended)
    const first = intended[0]?.row.id as never
    await expect.poll(async () => (await bench.look(first)).state).toBe('ended')
    expect((await bench.look(intended[1]?.row.id as never)).state).toBe('intended')
    slow.resolve()
    expect((await both).ended).toHaveLength(2)
  })
})
