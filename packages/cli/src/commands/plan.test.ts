import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { idFrom, Plan, type PlanDetail, type PlanPreview, type PlanView } from '@countersign/contract'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context, OptionValues } from '../context.ts'
import type { CommandAnswer } from '../output/answer.ts'
import { unpainted } from '../output/colour.ts'
import { add, graph, list, pause, preview as previewing, remove, resume, run, show } from './plan.ts'
import { planRows } from './rows/plan.ts'

const id = `plan_${'a'.repeat(32)}`
const folder = mkdtempSync(join(tmpdir(), 'plan-'))
afterAll(() => rmSync(folder, { recursive: true }))

const steps = [
  {
    type: 'tool_call',
    id: 'page',
    name: 'Fetch the page',
    tool: 'http_request',
    args: { url: 'https://example.org' },
  },
  { type: 'loop', id: 'each', name: 'Each row', over: '{{page.json}}', steps: ['save'] },
  { type: 'tool_call', id: 'save', name: 'Keep it', tool: 'add_task', args: { title: '{{each.item}}' } },
  { type: 'user_input', id: 'ask', name: 'Ask', question: 'Send?', dependsOn: ['each'] },
]
let detail: PlanDetail
let preview: PlanPreview
let calls: unknown[]

beforeEach(() => {
  calls = []
  const now = '2026-08-01T12:00:00Z'
  const view: PlanView = {
    id,
    ...Plan.parse({ name: 'Weekly report', steps }),
    label: null,
    createdAt: now,
    updatedAt: now,
  }
  const state = (step: string, of: PlanDetail['states'][number]['state'], times = 0) => ({
    step,
    state: of,
    times,
    attempts: 1,
    words: of === 'done' ? `result of ${step}` : '',
  })
  detail = {
    plan: view,
    problems: [],
    states: [
      state('page', 'done', 1),
      state('each', 'done', 1),
      state('save', 'done', 3),
      state('ask', 'waits'),
    ],
  }
  const told = { ahead: false, why: 'So it is.', tool: 'x' }
  preview = {
    plan: id,
    version: 1,
    steps: [
      {
        ...told,
        step: 'page',
        name: 'Fetch the page',
        headline: 'GET example.org',
        tier: 2,
        decision: 'ask',
        ahead: true,
      },
      { ...told, step: 'save', name: 'Keep it', headline: 'add_task', tier: null, decision: 'may' },
      { ...told, step: 'ask', name: 'Ask', headline: 'Send?', tier: 0, decision: 'question' },
    ],
    stops:
      '2 stops for you: Fetch the page (Crosses a boundary), Ask (a question). 1 more may stop: Keep it (not known yet).',
    lease: [
      {
        step: 'page',
        tool: 'http_request',
        args: '{"url":"https://example.org"}',
        headline: 'GET example.org',
      },
    ],
    digest: '3f2a91c04b7d'.padEnd(64, '0'),
    problems: [],
  }
})

function contextWith(input = ''): Context {
  const changed = () => Promise.resolve({ ok: true, ledger: 7, plan: detail.plan })
  const heard =
    <T>(name: string, then: () => T) =>
    (...args: unknown[]) => {
      calls.push([name, ...args])
      return then()
    }
  const client = {
    plans: heard('plans', () => Promise.resolve({ plans: [detail.plan], total: 1 })),
    plan: () => Promise.resolve(detail),
    addPlan: heard('add', changed),
    changePlan: heard('change', changed),
    removePlan: heard('remove', () => Promise.resolve({ ok: true, ledger: 9 })),
    previewPlan: () => Promise.resolve(preview),
    executePlan: heard('execute', () =>
      Promise.resolve({
        ok: true,
        ledger: 8,
        plan: detail.plan,
        session: idFrom('ses', '0'.repeat(32)),
        ahead: 1,
      }),
    ),
    pausePlan: heard('pause', changed),
    resumePlan: heard('resume', changed),
  }
  return {
    gateway: () => Promise.resolve({ client }),
    paint: unpainted,
    moment: () => ({ now: new Date('2026-08-01T12:00:00Z'), zone: 'UTC' }),
    host: { output: {}, input: Readable.from([input]) },
  } as unknown as Context
}

const handlers = { add, graph, list, pause, preview: previewing, remove, resume, run, show }
const textOf = (answer: CommandAnswer): string => {
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer))
  return typeof answer.text === 'string' ? answer.text : answer.text()
}
const said = async (
  handler: keyof typeof handlers,
  args: string[] = [id],
  options: OptionValues = {},
  input = '',
) => textOf(await handlers[handler](contextWith(input), args, options))

describe('plan graph', () => {
  it('draws what holds what, what waits for what, where each is and where it stops', async () => {
    expect(await said('graph')).toMatchInlineSnapshot(`
      "Weekly report  not begun

      ✓ page    Fetch the page (http_request)         Crosses a boundary, stops, or is approved in advance  done
      ✓ each    Each row (for each of {{page.json}})                                                        done           after page
        ✓ save  Keep it (add_task)                    may stop                                              done 3 times
      ? ask     Ask (a question)                      stops for you                                         waits for you  after each

      2 stops for you: Fetch the page (Crosses a boundary), Ask (a question). 1 more may stop: Keep it (not known yet)."
    `)
  })

  it('shows the problems of a plan that cannot begin, and asks for no preview', async () => {
    detail = { ...detail, problems: [{ step: 'save', problem: 'It waits for itself.', fix: 'Take it out.' }] }
    expect(await said('graph')).toContain('It cannot begin:\n  save: It waits for itself. Take it out.')
  })
})

describe('plan preview and plan run', () => {
  it('list the stops and exactly what can be approved ahead', async () => {
    expect(await said('preview')).toMatchInlineSnapshot(`
      "2 stops for you: Fetch the page (Crosses a boundary), Ask (a question). 1 more may stop: Keep it (not known yet).

      Step  Tier                What             Why
      page  Crosses a boundary  GET example.org  So it is.
      save                      add_task         So it is.
      ask                       Send?            So it is.

      You can approve 1 call in advance, exactly as shown, once each:
        GET example.org
          http_request {"url":"https://example.org"}
      \`countersign plan run plan_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa --ahead 3f2a91c04b7d00000000000000000000\`"
    `)
  })

  it('approve ahead only by the digest of what the gateway lists now', async () => {
    expect(await said('run', [id], { ahead: preview.digest.slice(0, 32) })).toContain(
      '1 call approved ahead.',
    )
    expect(calls.at(-1)).toEqual(['execute', id, preview.digest])
    for (const ahead of ['3f2a91c04b7d', '0'.repeat(64)])
      await expect(said('run', [id], { ahead })).rejects.toMatchObject({ code: 'conflict' })
    await said('run')
    expect(calls.at(-1)).toEqual(['execute', id, undefined])
  })
})

describe('plan add', () => {
  it('keeps a file, or what is piped in, and replaces a plan', async () => {
    const file = join(folder, 'report.json')
    writeFileSync(file, JSON.stringify({ name: 'Weekly report', steps }))
    expect(await said('add', [file])).toContain(`with 4 steps as ${id}.  Ledger #7`)
    await said('add', [file], { replace: 'weekly REPORT' })
    expect(calls.at(-1)).toMatchObject(['change', id, { name: 'Weekly report' }])
    await said('add', ['-'], {}, '{"name":"Piped"}')
    expect(calls.at(-1)).toMatchObject(['add', { name: 'Piped', steps: [] }])
  })

  it('refuses what is no file, no JSON, and no plan', async () => {
    const refusal = async (content?: string) => {
      const file = join(folder, 'wrong.json')
      rmSync(file, { force: true })
      if (content !== undefined) writeFileSync(file, content)
      const answer = await add(contextWith(), [file], {})
      return answer.kind === 'failed' ? answer.failure.message : ''
    }
    expect(await refusal()).toContain('cannot be read')
    expect(await refusal('{')).toContain('is not JSON')
    expect(await refusal('{"name":"x","steps":[{"type":"dance"}]}')).toContain('is no plan')
    expect(calls).toEqual([])
  })
})

describe('the other commands', () => {
  it('list, show, hold, let go on and remove', async () => {
    expect(await said('list', [])).toContain('Weekly report  not begun  4')
    expect(await said('show')).toContain('result of page')
    expect(await said('pause')).toContain(`countersign plan resume ${id}`)
    expect(await said('resume')).toContain('goes on.  Ledger #7')
    expect(await said('remove')).toBe(`Removed ${id}.  Ledger #9`)
    expect(await list(contextWith(), [], { status: 'gone' })).toMatchObject({ kind: 'failed' })
    await expect(said('show', ['Nothing'])).rejects.toMatchObject({ code: 'not_found' })
  })

  it('have rows with examples', () => {
    for (const row of planRows) {
      expect(row.examples.length).toBeGreaterThan(0)
      for (const example of row.examples) expect(example).toContain(`countersign ${row.name}`)
    }
  })
})
