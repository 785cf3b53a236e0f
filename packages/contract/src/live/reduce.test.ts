import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Decision } from '../decision.ts'
import { type EventBody, GatewayEvent } from '../events.ts'
import { fold, reduce } from './reduce.ts'
import { emptyLive, LiveState, liveBounds } from './state.ts'
import { anyLog, approvalOf, idOf, numbered } from './testing/events.ts'
import { liveText } from './text.ts'

const session = idOf('ses', 1)
const run = idOf('run', 1)
const inRun = { session, run }
const input = idOf('inp', 1)

const begun: EventBody[] = [
  { type: 'input.admitted', session, input, run: null, text: 'File the receipts', mode: 'auto' },
  { type: 'run.started', ...inRun, input },
]

const allow: Decision = { kind: 'allow', tier: 1, rules: [], raised: [], reason: 'A rule.' }

describe('the live state after any log', () => {
  test('has the shape that is sent, whatever happened', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        for (const event of log) GatewayEvent.parse(event)
        const state = fold(emptyLive, log)
        expect(LiveState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state)
      }),
      { numRuns: 100 },
    )
  })

  test('is the same whether it was folded at once, in batches, or from a state that was sent', () => {
    fc.assert(
      fc.property(anyLog, fc.array(fc.nat(), { maxLength: 6 }), (log, cuts) => {
        const whole = liveText(fold(emptyLive, log))
        expect(liveText(log.reduce(reduce, emptyLive))).toBe(whole)
        const places = [...cuts.map((at) => at % (log.length + 1)), log.length].toSorted((a, b) => a - b)
        let state = emptyLive
        let from = 0
        for (const to of places) {
          state = LiveState.parse(JSON.parse(JSON.stringify(fold(state, log.slice(from, to)))))
          from = to
        }
        expect(liveText(state)).toBe(whole)
      }),
      { numRuns: 150 },
    )
  })

  test('does not change when events come again', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(), (log, at) => {
        const state = fold(emptyLive, log)
        const again = log.slice(at % (log.length + 1))
        expect(fold(state, again)).toBe(state)
      }),
      { numRuns: 100 },
    )
  })

  test('never changes a state that was handed out', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        const before: string[] = []
        const states = log.map(
          ((state) => (event: GatewayEvent) => {
            state = reduce(state, event)
            before.push(JSON.stringify(state))
            return state
          })(emptyLive),
        )
        expect(states.map((state) => JSON.stringify(state))).toEqual(before)
      }),
      { numRuns: 50 },
    )
  })

  test('stays within its bounds', () => {
    fc.assert(
      fc.property(fc.array(anyLog, { minLength: 1, maxLength: 8 }), (logs) => {
        const bodies = logs.flatMap((log) => log.map(({ body }) => body))
        const state = fold(emptyLive, numbered(bodies))
        for (const thread of Object.values(state.threads)) {
          expect(thread.items.length).toBeLessThanOrEqual(liveBounds.items)
          if (thread.items.length > 1) expect(thread.size).toBeLessThanOrEqual(liveBounds.threadText)
        }
        expect(state.notices.length).toBeLessThanOrEqual(liveBounds.notices)
        expect(state.decided.length).toBeLessThanOrEqual(liveBounds.decided)
      }),
      { numRuns: 20 },
    )
  })
})

describe('bounds', () => {
  test('the sessions touched last are kept, with the last of their items', () => {
    const bodies = Array.from({ length: 300 }, (_, at): EventBody[] => [
      {
        type: 'input.admitted',
        session: idOf('ses', at),
        input: idOf('inp', at),
        run: null,
        text: 'x',
        mode: 'auto',
      },
      { type: 'input.admitted', session, input: idOf('inp', 1_000 + at), run: null, text: 'x', mode: 'auto' },
    ]).flat()
    const state = fold(emptyLive, numbered(bodies))
    expect(Object.keys(state.threads)).toHaveLength(liveBounds.threads)
    expect(state.threads[idOf('ses', 299)]).toBeDefined()
    expect(state.threads[idOf('ses', 2)]).toBeUndefined()
    const thread = state.threads[session]
    expect(thread?.items).toHaveLength(liveBounds.items)
    expect(thread?.dropped).toBe(301 - liveBounds.items)
    expect(thread?.items.at(-1)).toMatchObject({ seq: 600 })
  })

  test('a run that has not ended outlives any number of ended ones', () => {
    const open: EventBody = { type: 'run.started', ...inRun, input }
    const others = Array.from({ length: 150 }, (_, at): EventBody[] => {
      const other = { session: idOf('ses', at + 10), run: idOf('run', at + 10) }
      return [
        { type: 'run.started', ...other, input },
        { type: 'run.ended', ...other, input, reason: 'completed', message: '' },
      ]
    }).flat()
    const state = fold(emptyLive, numbered([open, ...others]))
    expect(Object.keys(state.runs)).toHaveLength(liveBounds.endedRuns + 1)
    expect(state.runs[run]?.state).toBe('running')
    expect(state.runs[idOf('run', 10)]).toBeUndefined()
  })

  test('what happens late in a run that is no longer kept does not bring it back', () => {
    const state = fold(
      emptyLive,
      numbered([
        {
          type: 'call.ended',
          ...inRun,
          call: idOf('call', 1),
          tool: 't',
          headline: 'h',
          outcome: 'ok',
          summary: '',
          undoable: false,
        },
        {
          type: 'approval.decided',
          session: idOf('ses', 9),
          run,
          approval: idOf('apr', 1),
          code: 'K',
          state: 'superseded',
          by: 'gateway',
          reason: null,
        },
      ]),
    )
    expect(state.runs).toEqual({})
    expect(state.threads[idOf('ses', 9)]).toBeUndefined()
    expect(state.decided).toMatchObject([{ state: 'superseded', headline: '', tier: null }])
  })

  test('a long text is cut between two characters and says how much is missing', () => {
    const text = `a${'🖋'.repeat(15_000)}`
    const state = fold(
      emptyLive,
      numbered([...begun, { type: 'turn.replied', ...inRun, turn: 1, text, calls: 0 }]),
    )
    const reply = state.threads[session]?.items.at(-1)
    expect(reply?.kind === 'reply' && reply.text.isWellFormed()).toBe(true)
    expect(reply?.kind === 'reply' && reply.text.length + reply.cut).toBe(text.length)
  })
})

describe('a conversation', () => {
  test('an event of an unknown type only moves the number on', () => {
    const strange = { seq: 7, at: '2026-01-01T00:00:00.000Z', body: { type: 'moon.rose', session, run } }
    const state = reduce(emptyLive, strange as unknown as GatewayEvent)
    expect(state).toEqual({ ...emptyLive, seq: 7 })
  })

  test('a message waits until its run starts', () => {
    const [admitted, started] = numbered(begun)
    const waiting = fold(emptyLive, [admitted as GatewayEvent])
    expect(waiting.threads[session]?.items).toMatchObject([{ kind: 'message', run: null }])
    expect(reduce(waiting, started as GatewayEvent).threads[session]?.items).toMatchObject([{ run }])
  })

  test('a call is one cell from its decision to its end, also when it is tried again', () => {
    const call = idOf('call', 1)
    const about = { ...inRun, call, tool: 'write_file', headline: 'Write a.txt' }
    const bodies: EventBody[] = [
      ...begun,
      { type: 'call.decided', ...about, decision: allow },
      { type: 'call.ended', ...about, outcome: 'unknown', summary: 'lost', undoable: false },
      { type: 'call.decided', ...about, decision: allow },
    ]
    const again = fold(emptyLive, numbered(bodies))
    const cells = again.threads[session]?.items.filter(({ kind }) => kind === 'cell')
    expect(cells).toMatchObject([{ seq: 3, outcome: null, endedAt: null }])
    expect(again.runs[run]?.failing).toEqual(['write_file'])
    const end: EventBody = { type: 'call.ended', ...about, outcome: 'ok', summary: 'done', undoable: true }
    const done = fold(again, numbered([end], 6))
    expect(done.threads[session]?.items.at(-1)).toMatchObject({ seq: 3, outcome: 'ok', undoable: true })
    expect(done.runs[run]?.failing).toEqual([])
  })

  test('a card waits until it is decided, and is then remembered with its words', () => {
    const approval = approvalOf(1, { session: 1, run: 1, tier: 3 })
    const asked = fold(
      emptyLive,
      numbered([
        ...begun,
        { type: 'approval.requested', ...inRun, approval },
        { type: 'run.parked', ...inRun, on: 'approval' },
      ]),
    )
    expect(Object.values(asked.approvals)).toEqual([approval])
    const decided = fold(
      asked,
      numbered(
        [
          {
            type: 'approval.decided',
            ...inRun,
            approval: approval.id,
            code: 'K1',
            state: 'approved',
            by: 'dev',
            reason: null,
          },
          { type: 'run.resumed', ...inRun },
        ],
        9,
      ),
    )
    expect(decided.approvals).toEqual({})
    expect(decided.decided).toMatchObject([{ headline: 'Card 1', tier: 3, state: 'approved' }])
    expect(decided.threads[session]?.items[1]).toMatchObject({
      kind: 'approval',
      state: 'approved',
      by: 'dev',
    })
    expect(decided.runs[run]?.waitedMs).toBe(6_000)
  })

  test('a card can be given more time, asked about, and replaced by its edited form', () => {
    const approval = approvalOf(1, { session: 1, run: 1 })
    const exchange = { question: 'Why?', answer: 'Because.', at: '2026-01-01T00:00:00.000Z' }
    const state = fold(
      emptyLive,
      numbered([
        { type: 'approval.requested', ...inRun, approval },
        { type: 'approval.extended', ...inRun, approval: approval.id, expiresAt: '2026-02-01T00:00:00.000Z' },
        { type: 'approval.answered', ...inRun, approval: approval.id, exchange },
      ]),
    )
    expect(state.approvals[approval.id]).toMatchObject({
      expiresAt: '2026-02-01T00:00:00.000Z',
      asked: [exchange],
    })
    const edited = { ...approvalOf(2, { session: 1, run: 1 }), replaces: approval.id }
    const after = fold(state, numbered([{ type: 'approval.requested', ...inRun, approval: edited }], 4))
    expect(Object.keys(after.approvals)).toEqual([edited.id])
  })

  test('a card from before there were exchanges and edits is taken as one without them', () => {
    const { asked: _, replaces: __, ...old } = approvalOf(1, { session: 1, run: 1 })
    const body = { type: 'approval.requested', ...inRun, approval: old } as unknown as EventBody
    const state = fold(emptyLive, numbered([body]))
    expect(state.approvals[old.id]).toMatchObject({ asked: [], replaces: null })
  })

  test('what still waited is gone when its run ends, and what waits elsewhere stays', () => {
    const ask = (number: number, where: number): EventBody => ({
      type: 'question.asked',
      session: idOf('ses', where),
      run: idOf('run', where),
      question: idOf('q', number),
      call: idOf('call', number),
      kind: 'operator',
      text: 'Which?',
      choices: [],
    })
    const end: EventBody = { type: 'run.ended', ...inRun, input, reason: 'manual', message: '' }
    const state = fold(emptyLive, numbered([ask(1, 1), ask(2, 2), end]))
    expect(Object.keys(state.questions)).toEqual([idOf('q', 2)])
  })

  test('a part in which nothing happened stays the same object', () => {
    const first = fold(emptyLive, numbered(begun))
    const next = fold(first, numbered([{ type: 'notice', about: 'x', text: 'y' }], 3))
    expect(next.threads).toBe(first.threads)
    expect(next.runs).toBe(first.runs)
    expect(next.approvals).toBe(first.approvals)
  })

  test('a pause and a hold last until they are lifted', () => {
    const on = fold(
      emptyLive,
      numbered([
        { type: 'system.paused', by: 'dev' },
        { type: 'spending.held', reason: 'much' },
      ]),
    )
    expect(on.paused).toMatchObject({ by: 'dev' })
    expect(on.held).toMatchObject({ reason: 'much' })
    const off = fold(
      on,
      numbered(
        [
          { type: 'system.resumed', by: 'dev' },
          { type: 'spending.released', by: 'dev' },
        ],
        3,
      ),
    )
    expect([off.paused, off.held]).toEqual([null, null])
  })
})
