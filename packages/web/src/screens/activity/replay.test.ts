import type { GatewayEvent } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { pauseBefore, runLog, stateAfter } from './replay.ts'

const event = (seq: number, body: object) =>
  ({ seq, at: new Date(seq * 1_000).toISOString(), body }) as unknown as GatewayEvent
const inRun = { session: 'ses_1', run: 'run_1' }
const log = [
  event(1, {
    type: 'input.admitted',
    session: 'ses_1',
    input: 'inp_1',
    run: 'run_1',
    text: 'go',
    mode: 'auto',
  }),
  event(2, { type: 'run.started', ...inRun, input: 'inp_1' }),
  event(3, { type: 'turn.replied', ...inRun, turn: 1, text: 'done', calls: 0 }),
  event(9, { type: 'run.ended', ...inRun, input: 'inp_1', reason: 'completed', message: '' }),
]

describe('a replay', () => {
  it('shows after each event what was shown then', () => {
    const kinds = (count: number) =>
      stateAfter(log, count).threads['ses_1' as never]?.items.map((item) => item.kind) ?? []
    expect(kinds(0)).toEqual([])
    expect(kinds(1)).toEqual(['message'])
    expect(kinds(3)).toEqual(['message', 'reply'])
    expect(stateAfter(log, 4).runs['run_1' as never]?.state).toBe('stopped')
  })

  it('waits as long as it took, quicker at speed, and never long', () => {
    expect(pauseBefore(log, 1, 1)).toBe(1_000)
    expect(pauseBefore(log, 1, 10)).toBe(100)
    expect(pauseBefore(log, 3, 1)).toBe(1_500)
    expect(pauseBefore(log, 4, 1)).toBe(0)
  })

  it('fetches the log page by page', async () => {
    const all = Array.from({ length: 2_300 }, (_, index) =>
      event(index + 1, { type: 'run.resumed', ...inRun }),
    )
    const client = {
      runEvents: async (_run: string, { since = 0, limit = 0 }) =>
        all.filter(({ seq }) => seq > since).slice(0, limit),
    }
    expect(await runLog(client as never, 'run_1' as never)).toHaveLength(2_300)
  })
})
