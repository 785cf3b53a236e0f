/** The scripted log: two conversations, what was done in them, and what waits. */
import type { EventBody, GatewayEvent } from '@countersign/contract'
import { approvals } from './approvals.ts'
import { id, minutes } from './ids.ts'

/** The log is long before what is told here. */
export const firstSeq = 88_380

export function events(isPaused: boolean): readonly GatewayEvent[] {
  const inBooks = { session: id('ses', 1), run: id('run', 1) }
  const inTravel = { session: id('ses', 2), run: id('run', 2) }
  const inBrief = { session: id('ses', 3), run: id('run', 3) }
  const allow = {
    kind: 'allow' as const,
    tier: 0 as const,
    rules: [],
    raised: [],
    reason: 'Reading what is yours.',
  }
  const write = { ...allow, tier: 1 as const, reason: 'It can be undone.' }
  const bodies: readonly (readonly [ago: number, body: EventBody])[] = [
    [300, { type: 'run.started', ...inBrief, input: id('inp', 3) }],
    [
      299,
      {
        type: 'turn.replied',
        ...inBrief,
        turn: 1,
        text: 'Two meetings today; the first at 10:00. Nothing in the mail needs you.',
        calls: 1,
      },
    ],
    [299, { type: 'run.ended', ...inBrief, input: id('inp', 3), reason: 'completed', message: '' }],
    [
      60,
      {
        type: 'input.admitted',
        session: id('ses', 2),
        input: id('inp', 2),
        run: null,
        text: 'Clean up the travel folder',
        mode: 'auto',
      },
    ],
    [60, { type: 'run.started', ...inTravel, input: id('inp', 2) }],
    ...approvals()
      .slice(2)
      .map((approval): [number, EventBody] => [45, { type: 'approval.requested', ...inTravel, approval }]),
    [
      44,
      {
        type: 'question.asked',
        ...inTravel,
        question: id('q', 1),
        call: id('call', 11),
        kind: 'operator',
        text: 'Keep the boarding passes of last year, or move them to the archive?',
        choices: ['Keep them', 'Archive them'],
      },
    ],
    [
      30,
      {
        type: 'notice',
        about: 'sch_2',
        text: 'The automation “Receipts” failed: the mail account did not answer.',
      },
    ],
    [45, { type: 'run.parked', ...inTravel, on: 'approval' }],
    [
      5,
      {
        type: 'input.admitted',
        session: id('ses', 1),
        input: id('inp', 1),
        run: null,
        text: 'File the August receipts and tell me what is missing.',
        mode: 'auto',
      },
    ],
    [5, { type: 'run.started', ...inBooks, input: id('inp', 1) }],
    [
      5,
      {
        type: 'call.decided',
        ...inBooks,
        call: id('call', 1),
        tool: 'search_emails',
        headline: 'Search “receipt after:2026-08-01”',
        decision: allow,
      },
    ],
    [
      5,
      {
        type: 'call.ended',
        ...inBooks,
        call: id('call', 1),
        tool: 'search_emails',
        headline: 'Search “receipt after:2026-08-01”',
        outcome: 'ok',
        summary: '9 found',
        undoable: false,
      },
    ],
    [
      4,
      {
        type: 'call.decided',
        ...inBooks,
        call: id('call', 2),
        tool: 'write_file',
        headline: 'Write 9 files in ~/books/2026-08',
        decision: write,
      },
    ],
    [
      4,
      {
        type: 'call.ended',
        ...inBooks,
        call: id('call', 2),
        tool: 'write_file',
        headline: 'Write 9 files in ~/books/2026-08',
        outcome: 'ok',
        summary: '9 files',
        undoable: true,
      },
    ],
    [
      4,
      {
        type: 'turn.replied',
        ...inBooks,
        turn: 1,
        text: 'I filed nine receipts. One is missing: the Stripe invoice. I can look it up at Stripe as soon as you allow the first request to that host.',
        calls: 2,
      },
    ],
    ...approvals()
      .slice(0, 2)
      .toReversed()
      .map((approval): [number, EventBody] => [3, { type: 'approval.requested', ...inBooks, approval }]),
    [2, { type: 'run.parked', ...inBooks, on: 'approval' }],
    [1, { type: 'grant.created', grant: id('gr', 1), sentence: 'GET to docs.rs, until 18:00.' }],
    ...(isPaused ? [[1, { type: 'system.paused', by: 'you, on the web' }] as [number, EventBody]] : []),
  ]
  return bodies.map(([ago, body], index) => ({ seq: firstSeq + index + 1, at: minutes(-ago), body }))
}
