import type { CellItem, ThreadItemLive } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { entriesOf, stateOf } from './entries.ts'

let seq = 0
const item = (kind: string, more: object) =>
  ({ kind, seq: (seq += 1), at: '', run: 'run_1', ...more }) as unknown as ThreadItemLive
const cell = (tool: string, call: string, outcome: CellItem['outcome'] = 'ok') =>
  item('cell', { tool, call, outcome, headline: call, summary: '' })
const said = (text: string) => item('reply', { text })
const shape = (items: ThreadItemLive[]) =>
  entriesOf(items).map((entry) =>
    entry.kind === 'activity'
      ? entry.rows.map((row) => `${row.cells[0]?.item.tool} ×${row.cells.length}`)
      : entry.kind,
  )

describe('a conversation', () => {
  it('gathers calls between what was said', () => {
    expect(
      shape([item('message', { text: '' }), cell('a', '1'), cell('b', '2'), said('hi'), cell('a', '3')]),
    ).toEqual(['message', ['a ×1', 'b ×1'], 'reply', ['a ×1']])
  })

  it('folds three calls of one tool that went well, and not two', () => {
    expect(shape([cell('a', '1'), cell('a', '2')])).toEqual([['a ×1', 'a ×1']])
    expect(shape([cell('a', '1'), cell('a', '2'), cell('a', '3')])).toEqual([['a ×3']])
  })

  it('folds no call that failed, and none that was asked about', () => {
    const asked = item('approval', { call: '3', state: 'approved' })
    expect(shape([cell('a', '1'), cell('a', '2'), cell('a', '3', 'failed')])).toEqual([
      ['a ×1', 'a ×1', 'a ×1'],
    ])
    expect(shape([cell('a', '1'), cell('a', '2'), cell('a', '3'), asked])).toEqual([['a ×1', 'a ×1', 'a ×1']])
  })

  it('tells an end only where it is not the ordinary one', () => {
    const end = (reason: string) => item('mark', { mark: 'ended', reason, on: null })
    expect(shape([said('hi'), end('completed')])).toEqual(['reply'])
    expect(shape([said('hi'), end('error')])).toEqual(['reply', 'end'])
  })

  it('says that a call waits while its request is pending', () => {
    const [entry] = entriesOf([cell('a', '1', null), item('approval', { call: '1', state: 'pending' })])
    const waiting = entry?.kind === 'activity' ? entry.rows[0]?.cells[0] : undefined
    expect(waiting && stateOf(waiting)).toBe('waiting')
  })

  it('knows which calls were taken back, and tells that by a heading and not as a message', () => {
    const [moved, kept] = [cell('move_file', 'call_1'), cell('move_file', 'call_2')]
    const note = 'Note of Countersign: the operator took back what run_1 did: move_file (call_1).'
    const items = (outcome: CellItem['outcome']) => [
      moved,
      kept,
      item('message', { run: 'run_2', text: note }),
      item('cell', { tool: 'move_file', call: 'call_3', outcome, headline: '', summary: '', run: 'run_2' }),
    ]
    const undone = (entries: ReturnType<typeof entriesOf>) =>
      entries.flatMap((entry) =>
        entry.kind === 'activity' ? entry.rows.flatMap((row) => row.cells.map((each) => each.undone)) : [],
      )
    expect(shape(items('ok'))).toEqual([['move_file ×1', 'move_file ×1'], 'undo', ['move_file ×1']])
    expect(undone(entriesOf(items('ok')))).toEqual([true, false, false])
    expect(undone(entriesOf(items('failed')))).toEqual([false, false, false])
  })
})
