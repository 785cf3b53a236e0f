/** Makes logs for the tests of the live state: any events, and a conversation that could have happened. */
import fc from 'fast-check'
import type { ApprovalView } from '../../card.ts'
import type { EventBody, GatewayEvent } from '../../events.ts'
import { type IdOf, idFrom } from '../../ids.ts'

/** The id of a kind with a number. */
export function idOf<Prefix extends keyof IdOf>(prefix: Prefix, number: number): IdOf[Prefix] {
  return idFrom(prefix, number.toString(16).padStart(32, '0'))
}

export function numbered(bodies: readonly EventBody[], first = 1): GatewayEvent[] {
  return bodies.map((body, index) => ({
    seq: first + index,
    at: new Date(Date.UTC(2026, 0, 1) + (first + index) * 1_000).toISOString(),
    body,
  }))
}

export function approvalOf(
  number: number,
  about: { session: number; run: number; call?: number; tier?: 0 | 1 | 2 | 3 | 4; expiresAt?: string },
): ApprovalView {
  return {
    id: idOf('apr', number),
    code: `K${number}`,
    state: 'pending',
    digest: 'd',
    card: {
      headline: `Card ${number}`,
      tier: about.tier ?? 2,
      tool: 'tool',
      args: '{}',
      chain: [
        { kind: 'operator', id: 'laptop', name: 'laptop' },
        { kind: 'tool', id: 'tool', name: 'tool' },
      ],
      preview: { kind: 'text', title: 'Text', text: 'text' },
      effects: [],
      why: { reason: 'It asks.', rules: [], raised: [] },
    },
    asks: { en: { why: 'It asks.', stops: '' }, de: { why: 'Es fragt.', stops: '' } },
    agentSays: '',
    asked: [],
    replaces: null,
    options: [],
    session: idOf('ses', about.session),
    run: idOf('run', about.run),
    call: idOf('call', about.call ?? number),
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: about.expiresAt ?? '2026-01-02T00:00:00.000Z',
    decidedAt: null,
    decidedBy: null,
    reason: null,
    receipt: null,
  }
}

const few = fc.nat({ max: 7 })
const tiers = fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const, 4 as const)
const words = fc.oneof(
  { weight: 20, arbitrary: fc.string({ maxLength: 40, unit: 'grapheme' }) },
  { weight: 1, arbitrary: fc.nat({ max: 60_000 }).map((length) => '🖋'.repeat(length)) },
)

/** Any body about a few sessions, runs, calls, cards and questions, in any order. */
export const anyBody: fc.Arbitrary<EventBody> = fc
  .record({
    pick: fc.nat({ max: 19 }),
    session: few,
    run: few,
    other: few,
    tier: tiers,
    text: words,
    flag: fc.boolean(),
  })
  .map(({ pick, session: s, run: r, other, tier, text, flag }): EventBody => {
    const session = idOf('ses', s)
    const run = idOf('run', r)
    const inRun = { session, run }
    const call = idOf('call', other)
    const bodies: readonly (() => EventBody)[] = [
      () => ({
        type: 'input.admitted',
        session,
        input: idOf('inp', other),
        run: flag ? run : null,
        text,
        mode: 'auto',
      }),
      () => ({ type: 'run.started', ...inRun, input: idOf('inp', other) }),
      () => ({ type: 'run.parked', ...inRun, on: flag ? 'approval' : 'question' }),
      () => ({ type: 'run.resumed', ...inRun }),
      () => ({
        type: 'run.ended',
        ...inRun,
        input: idOf('inp', other),
        reason: flag ? 'completed' : 'error',
        message: text,
      }),
      () => ({ type: 'turn.replied', ...inRun, turn: other, text, calls: 1 }),
      () => ({
        type: 'call.decided',
        ...inRun,
        call,
        tool: `tool_${other}`,
        headline: text,
        decision: { kind: flag ? 'allow' : 'ask', tier, rules: [], raised: [], reason: 'A rule.' },
      }),
      () => ({
        type: 'call.ended',
        ...inRun,
        call,
        tool: `tool_${other}`,
        headline: text,
        outcome: flag ? 'ok' : 'failed',
        summary: text,
        undoable: flag,
      }),
      () => ({
        type: 'approval.requested',
        ...inRun,
        approval: approvalOf(other, { session: s, run: r, tier }),
      }),
      () => ({
        type: 'approval.decided',
        ...inRun,
        approval: idOf('apr', other),
        code: `K${other}`,
        state: flag ? 'approved' : 'expired',
        by: 'dev',
        reason: flag ? null : text,
      }),
      () => ({
        type: 'approval.extended',
        ...inRun,
        approval: idOf('apr', other),
        expiresAt: '2026-01-03T00:00:00.000Z',
      }),
      () => ({
        type: 'approval.answered',
        ...inRun,
        approval: idOf('apr', other),
        exchange: { question: 'Why?', answer: text, at: '2026-01-01T00:00:00.000Z' },
      }),
      () => ({
        type: 'question.asked',
        ...inRun,
        question: idOf('q', other),
        call,
        kind: 'operator',
        text,
        choices: flag ? ['yes', 'no'] : [],
      }),
      () => ({ type: 'question.answered', ...inRun, question: idOf('q', other), answer: text }),
      () => ({ type: 'grant.created', grant: idOf('gr', other), sentence: text }),
      () => ({ type: 'grant.revoked', grant: idOf('gr', other) }),
      () => ({ type: 'devices.changed' }),
      () => ({ type: 'budget.reached', budget: 'month', percent: 80, spentUsd: 8, limitUsd: 10 }),
      () => (flag ? { type: 'system.paused', by: 'dev' } : { type: 'system.resumed', by: 'dev' }),
      () => (flag ? { type: 'spending.held', reason: text } : { type: 'notice', about: 'x', text }),
      () => ({
        type: 'reminder.due',
        event: 'event_x',
        title: text,
        start: '2026-01-01',
        startsAt: '2026-01-01T00:00:00.000Z',
        location: null,
        late: flag,
        begun: flag,
      }),
    ]
    return (bodies[pick] as () => EventBody)()
  })

export const anyLog: fc.Arbitrary<GatewayEvent[]> = fc
  .array(anyBody, { maxLength: 120 })
  .map((bodies) => numbered(bodies))
