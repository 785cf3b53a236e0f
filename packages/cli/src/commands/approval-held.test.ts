import { idFrom, type UnaskedView } from '@countersign/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Context, createContext, type Handler } from '../context.ts'
import { written } from '../output/answer.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { dismiss, held, heldLine, letAsk } from './approval-held.ts'

const at = '2026-03-01T12:00:00.000Z'
const run = idFrom('run', '2'.repeat(32))
const calls = ['7', '8'].map((digit) => ({
  call: idFrom('call', digit.repeat(32)),
  run,
  tool: 'write_file',
  headline: 'Write \u001b[2J notes',
  tier: 3 as const,
  reason: 'Asks.',
  at,
}))
const row: UnaskedView = {
  id: idFrom('un', '5'.repeat(32)),
  session: idFrom('ses', '1'.repeat(32)),
  count: 3,
  calls,
  at,
}

let home: TestHome
let rows: readonly UnaskedView[]
let heard: unknown[][]
beforeEach(() => {
  home = testHome()
  rows = [row]
  heard = []
})
afterEach(() => home.remove())

const client = {
  unasked: async () => rows,
  letAsk: async (...given: unknown[]) => {
    heard.push(['let', ...given])
    return { session: row.session, run, ledger: 3 }
  },
  dismissUnasked: async (...given: unknown[]) => {
    heard.push(['dismiss', ...given])
    return { ok: true, ledger: 4 }
  },
}
const context = () =>
  ({
    ...createContext(testHost({ home }), usualFlags),
    gateway: async () => ({ client }),
  }) as unknown as Context

async function use(handler: Handler, ...args: string[]) {
  const { output, errors } = written(await handler(context(), args, {}), false)
  return output + errors
}

it('says how much was not done, and what it was, with nothing of it as its own words', async () => {
  const text = await use(held)
  expect(text).toContain('3 things were not done that nobody asked for')
  expect(text).toContain('and 1 more')
  expect(text).toContain(calls[0]?.call)
  expect(text).not.toContain('\u001b[2J')
  expect(await heldLine(context())).toBe(
    '3 things were not done that nobody asked for: countersign approval held',
  )
})

it('says that nothing was held', async () => {
  rows = []
  expect(await use(held)).toContain('Nothing was held')
  expect(await heldLine(context())).toBeNull()
})

it('lets one call ask, named whole or by its end, and no other', async () => {
  expect(await use(letAsk, '7777')).toContain('It asks now')
  expect(await use(letAsk, '9999')).toContain('Name one call')
  expect(await use(letAsk, '')).toContain('Name one call')
  expect(heard).toEqual([['let', row.id, calls[0]?.call]])
})

it('puts a row away', async () => {
  expect(await use(dismiss, row.id)).toContain('Nothing of it was done')
  expect(heard).toEqual([['dismiss', row.id]])
})
