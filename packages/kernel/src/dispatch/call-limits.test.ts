import { idFrom } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { countCalls, limitProgramCalls, limitReplyCalls } from './call-limits.ts'
import type { CallRow, NewCall } from './call-rows.ts'

const limits = { callsPerTurn: 3, callsInTurn: 5, toolCalls: 10 }

let next = 0
function call(over: Partial<NewCall> = {}): NewCall {
  next += 1
  return {
    id: idFrom('call', `00000000-0000-7000-8000-${String(next).padStart(12, '0')}`),
    position: next,
    modelId: 'm',
    modelTool: 'write_file',
    rawArgs: '{}',
    tool: 'write_file',
    args: '{}',
    headline: 'Write',
    state: 'proposed',
    invalid: null,
    parent: null,
    requester: null,
    origin: null,
    ...over,
  }
}

function batch(size: number): NewCall[] {
  const whole = call({ tool: 'batch_use_tool', args: '', state: 'waiting' })
  return [whole, ...Array.from({ length: size }, () => call({ parent: whole.id }))]
}

const madeOf = (calls: readonly NewCall[]) =>
  calls.filter(({ state, args }) => state === 'proposed' && args !== '').length

describe('the calls of a reply', () => {
  test('are all made while the turn has room', () => {
    const proposed = [call(), call(), call()]
    expect(limitReplyCalls(proposed, limits, 0)).toEqual({ calls: proposed, made: 3 })
  })

  test('count one by one inside batches, and what is over the limit has ended with the reason', () => {
    const { calls, made } = limitReplyCalls([...batch(2), ...batch(2)], limits, 0)
    expect(made).toBe(3)
    expect(madeOf(calls)).toBe(3)
    expect(calls.at(-1)?.invalid).toMatch(/a turn may make 3 calls/)
  })

  test('a batch that begins after the limit is refused as one row', () => {
    const { calls, made } = limitReplyCalls([...batch(3), ...batch(20), ...batch(20)], limits, 0)
    expect(made).toBe(3)
    expect(calls.map(({ state }) => state)).toEqual([
      'waiting',
      'proposed',
      'proposed',
      'proposed',
      'ended',
      'ended',
    ])
  })

  test('stop at the limit of the run inside the turn', () => {
    const { calls, made } = limitReplyCalls([call(), call(), call()], limits, 9)
    expect(made).toBe(1)
    expect(calls[1]?.invalid).toMatch(/a run may make 10 calls/)
  })

  test('that are not valid count, so that a flood of them ends too', () => {
    const broken = () => call({ args: '', state: 'ended', invalid: 'No such tool.' })
    const { calls } = limitReplyCalls([broken(), broken(), broken(), call()], limits, 0)
    expect(calls[3]?.state).toBe('ended')
  })
})

describe('the calls of a program', () => {
  test('are made whole or not at all', () => {
    expect(limitProgramCalls([call(), call()], limits, 3, 3)).toMatchObject({ made: 2 })
    expect(limitProgramCalls([call(), call(), call()], limits, 3, 3)).toMatchObject({
      reason: expect.stringMatching(/a turn may make 5/),
    })
  })

  test('count one by one where it asks for a batch', () => {
    expect(limitProgramCalls(batch(6), limits, 0, 0)).toHaveProperty('reason')
    expect(limitProgramCalls(batch(5), limits, 0, 0)).toMatchObject({ made: 5 })
  })

  test('never go over the limit of the run', () => {
    expect(limitProgramCalls([call(), call()], limits, 0, 8)).toMatchObject({ made: 2 })
    expect(limitProgramCalls([call(), call()], limits, 0, 9)).toMatchObject({
      reason: expect.stringMatching(/a run may make 10/),
    })
  })
})

test('the rows of a turn are as many calls as have arguments or were not valid', () => {
  const row = (args: string, outcome: CallRow['outcome']) => ({ args, outcome }) as CallRow
  expect(
    countCalls([row('', null), row('{}', null), row('', 'invalid'), row('', 'ok'), row('{}', 'invalid')]),
  ).toBe(3)
})
