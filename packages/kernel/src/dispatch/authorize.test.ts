import type { FileResource, RecordResource, Requester, Resource } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { madeFile, madeRecord } from '../testing/made-resources.ts'
import { type CallCandidate, independentCalls, weakerRequester } from './authorize.ts'

const file = (op: FileResource['op'], path = 'a') => madeFile(path, op)
const record = (op: RecordResource['op'], id: string, version: number | null = 1) =>
  madeRecord(op, { id, version })
/** Which of the calls, each with what it touches, are judged together. */
const together = (...calls: readonly (Resource | readonly Resource[])[]) => {
  const candidates = calls.map((touched) => {
    const resources = [touched].flat()
    return { assessment: { kind: 'assessed', resolution: { resources } } } as unknown as CallCandidate
  })
  return independentCalls(candidates).map((one) => candidates.indexOf(one))
}

describe('calls of one batch that touch the same file', () => {
  it('are judged together while they only look', () => {
    expect(together(file('read'), file('list'), file('read'))).toEqual([0, 1, 2])
  })

  it.each(['write', 'delete'] as const)('wait for one that comes earlier and changes it: %s', (op) => {
    expect(together(file(op), file('read'))).toEqual([0])
    expect(together(file(op), file('list'))).toEqual([0])
    expect(together(file(op), file('write'))).toEqual([0])
    expect(together(file(op), file('delete'))).toEqual([0])
  })

  it.each(['write', 'delete'] as const)('wait to change what an earlier one saw: %s', (op) => {
    expect(together(file('read'), file(op))).toEqual([0])
    expect(together(file('list'), file(op))).toEqual([0])
  })

  it('wait also for one that waits itself, and where only one of several files is touched', () => {
    expect(together(file('read', 'a'), [file('write', 'a'), file('write', 'b')], file('read', 'b'))).toEqual([
      0,
    ])
    expect(together(file('write', 'a'), [file('read', 'b'), file('read', 'a')])).toEqual([0])
  })

  it('are judged together when the files are others, or lie on another side of the border', () => {
    expect(together(file('write', 'a'), file('write', 'b'))).toEqual([0, 1])
    expect(together(file('write', 'a'), { ...file('write', 'a'), root: 'host' })).toEqual([0, 1])
  })
})

describe('calls of one batch that touch the same records', () => {
  it('are judged together while they only look', () => {
    expect(together(record('read', '1'), record('list', '*', null), record('read', '1'))).toEqual([0, 1, 2])
  })

  it('are judged together when they add or change different ones', () => {
    expect(together(record('write', 'new', null), record('write', 'new', null))).toEqual([0, 1])
    expect(together(record('write', '1'), record('write', '2'), record('delete', '3'))).toEqual([0, 1, 2])
  })

  it('wait when one changes what another changes or saw', () => {
    expect(together(record('write', '1'), record('delete', '1'))).toEqual([0])
    expect(together(record('write', '1'), record('read', '1'))).toEqual([0])
    expect(together(record('read', '1'), record('write', '1'))).toEqual([0])
  })

  it('wait to list what another adds, and to add to what another listed', () => {
    expect(together(record('write', 'new', null), record('list', '*', null))).toEqual([0])
    expect(together(record('list', '*', null), record('write', 'new', null))).toEqual([0])
    expect(together(record('write', '*', null), record('write', 'new', null))).toEqual([0])
    expect(together(record('write', 'new', null), record('write', '*', null))).toEqual([0])
  })

  it('do not meet a file, nor a record of another collection', () => {
    const other = madeRecord('write', { collection: 'notes' })
    expect(together(record('write', '1'), other, file('write', 'tasks'))).toEqual([0, 1, 2])
  })
})

it('a call that touches neither files nor records, or cannot be made, waits for nobody', () => {
  const peer: Resource = { type: 'peer', channel: 'mail', account: 'me', peer: 'ana' }
  expect(together(peer, peer, [])).toEqual([0, 1, 2])
  const impossible = { assessment: { kind: 'impossible', reason: '' } } as unknown as CallCandidate
  expect(independentCalls([impossible, impossible])).toHaveLength(2)
})

describe('a call of a made tool is judged', () => {
  const one = (kind: Requester['kind'], id = 'maker'): Requester => ({ kind, id })
  const kinds = ['operator', 'schedule', 'peer', 'webhook'] as const
  const pairs = kinds.flatMap((low, index) => kinds.slice(index + 1).map((high) => [high, low] as const))

  it.each(pairs)('for a %s rather than a %s, whichever of them made it', (less, more) => {
    expect(weakerRequester(one(less), one(more, 'caller'))).toEqual(one(less))
    expect(weakerRequester(one(more), one(less, 'caller'))).toEqual(one(less, 'caller'))
  })

  it('for the one who calls it where both may do the same, or nobody else made it', () => {
    expect(weakerRequester(one('peer'), one('peer', 'caller'))).toEqual(one('peer', 'caller'))
    expect(weakerRequester(null, one('peer', 'caller'))).toEqual(one('peer', 'caller'))
  })
})
