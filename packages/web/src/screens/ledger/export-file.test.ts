import type { LedgerEntryView } from '@countersign/contract'
import { expect, it } from 'vitest'
import { exportText } from './export-file.ts'

const entry = {
  seq: 7,
  at: '2026-11-10T09:00:00.000Z',
  type: 'input.admitted',
  sentence: 'You wrote “a, b” on laptop.',
  actor: { kind: 'operator', id: 'laptop', name: 'laptop' },
  tier: null,
  outcome: null,
  tool: null,
  effects: [],
  headline: null,
  run: null,
  session: null,
  call: null,
  approval: null,
  rules: ['base.a', 'base.b'],
  hash: 'ff',
  data: {},
  signed: true,
} as LedgerEntryView

it('writes one document on each line', () => {
  const lines = exportText('jsonl', [entry, entry]).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([entry, entry])
})

it('writes a table, and quotes what would break it', () => {
  const [head, row] = exportText('csv', [entry]).split('\r\n')
  expect(head).toBe('entry,at,type,who,what happened,tier,outcome,tool,rules,run,call,approval,hash,signed')
  expect(row).toBe(
    '7,2026-11-10T09:00:00.000Z,input.admitted,operator/laptop,"You wrote “a, b” on laptop.",,,,base.a base.b,,,,ff,yes',
  )
})

it.each(['=1+1', '+1', '-1', '@sum'])('takes %j as text and not as a formula', (tool) => {
  expect(exportText('csv', [{ ...entry, tool }])).toContain(`,'${tool},`)
})
