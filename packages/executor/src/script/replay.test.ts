import { sha256Hex } from '@countersign/contract/node'
import { describe, expect, it } from 'vitest'
import { createReplay, hashOf, notRepeated } from './replay.ts'

const open = () => null
const raw = (tool: string, args: object = {}) => ({ tool, args: JSON.stringify(args) })
const answer = (tool: string, args: string, text = tool) => ({
  call: sha256Hex(`${tool}\n${args}`),
  ok: true,
  text,
})

describe('the answers of a program', () => {
  it('are needed where there are none yet, with arguments in one form', () => {
    const replay = createReplay({ journal: [], refusal: open })
    const step = replay.answer([raw('a', { z: 1, b: [2] }), raw('b')])
    expect(step).toEqual({
      kind: 'calls',
      calls: [
        { tool: 'a', args: { z: 1, b: [2] } },
        { tool: 'b', args: {} },
      ],
    })
    expect(hashOf({ tool: 'a', args: { z: 1, b: [2] } })).toBe(sha256Hex('a\n{"b":[2],"z":1}'))
  })

  it('go to the calls that they were given to, in order', () => {
    const journal = [answer('a', '{}'), { ...answer('b', '{"n":1}'), ok: false }, answer('c', '{}')]
    const replay = createReplay({ journal, refusal: open })
    expect(replay.answer([raw('a'), raw('b', { n: 1 })])).toEqual({
      kind: 'answers',
      answers: [
        { ok: true, text: 'a' },
        { ok: false, text: 'b' },
      ],
    })
    expect(replay.isSpent()).toBe(false)
    expect(replay.answer([raw('c')]).kind).toBe('answers')
    expect(replay.isSpent()).toBe(true)
    expect(replay.answer([raw('d')]).kind).toBe('calls')
  })

  it.each([
    ['another tool', [raw('b')]],
    ['other arguments', [raw('a', { n: 2 })]],
    ['another order', [raw('c'), raw('a', { n: 1 })]],
    ['more calls at once', [raw('a', { n: 1 }), raw('c'), raw('d')]],
  ])('go to no other call: %s', (_, calls) => {
    const journal = [answer('a', '{"n":1}'), answer('c', '{}')]
    expect(createReplay({ journal, refusal: open }).answer(calls)).toEqual({
      kind: 'failed',
      reason: notRepeated,
    })
  })

  it('are refusals where a call is not granted, and take no answer from the others', () => {
    const refusal = (tool: string) => (tool === 'shell' ? 'not granted' : null)
    const first = createReplay({ journal: [], refusal })
    expect(first.answer([raw('shell')])).toEqual({
      kind: 'answers',
      answers: [{ ok: false, text: 'not granted' }],
    })
    expect(first.answer([raw('shell'), raw('a')])).toMatchObject({ kind: 'calls', calls: [{ tool: 'a' }] })
    const later = createReplay({ journal: [answer('a', '{}')], refusal })
    expect(later.answer([raw('shell'), raw('a')])).toEqual({
      kind: 'answers',
      answers: [
        { ok: false, text: 'not granted' },
        { ok: true, text: 'a' },
      ],
    })
  })

  it.each([
    '',
    '[]',
    '1',
    'null',
    '{',
    '{"a":1,"a":2}',
    '{"a":9007199254740993}',
    `{"a":"${'x'.repeat(200_001)}"}`,
  ])('are refusals where the arguments cannot be used: %.20s', (args) => {
    const step = createReplay({ journal: [], refusal: open }).answer([{ tool: 'a', args }])
    expect(step).toMatchObject({ kind: 'answers', answers: [{ ok: false }] })
  })
})
