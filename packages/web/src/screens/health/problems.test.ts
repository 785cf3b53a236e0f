import type { Status } from '@countersign/contract'
import { expect, test } from 'vitest'
import { problemsOf } from './problems.ts'

const well = {
  model: { ok: true, provider: 'openai', problem: null },
  paused: null,
  held: null,
  disk: { free: 80e9 },
} as unknown as Status
const kinds = (change: object) => problemsOf({ ...well, ...change }).map(({ kind }) => kind)

test('finds nothing where all is well, or where nothing was counted', () => {
  expect(kinds({})).toEqual([])
  expect(kinds({ disk: { free: 0 } })).toEqual([])
})

test('finds what can be mended with a button', () => {
  expect(kinds({ model: { ok: false, provider: 'openai', problem: 'HTTP 500' } })).toEqual(['model'])
  expect(kinds({ model: { ok: false, provider: 'none', problem: null } })).toEqual([])
  expect(kinds({ paused: { at: '', by: 'laptop' }, held: { at: '', because: 'a lot' } })).toEqual([
    'paused',
    'held',
  ])
  expect(kinds({ disk: { free: 1e9 } })).toEqual(['disk'])
})
