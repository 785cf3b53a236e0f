import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import type { ScriptReply } from '@countersign/model-servers'
import { afterAll, beforeAll, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
let turns: ScriptReply[] = []
let results: string[] = []

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastResults }) => {
      results.push(...lastResults.map(({ text }) => text))
      return turns.shift() ?? { text: 'Done.' }
    },
  })
  gateway = await installation.start()
  mkdirSync(installation.paths.workspace, { recursive: true })
})
afterAll(() => installation.close())

async function say(text: string, ...replies: ScriptReply[]) {
  turns = replies
  results = []
  const { run } = await gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
  return settledRun(gateway.client, run ?? '', 'either')
}
const call = (name: string, args: object): ScriptReply => ({ calls: [{ name, args: args as never }] })
const path = (name: string) => join(installation.paths.workspace, name)

test('a receipt is read, booked after that, added up, exported, and all of it undone', async () => {
  writeFileSync(path('bread.txt'), 'Corner Bakery\n2026-03-02\nBread 3.40\nCake 2.10\nTotal EUR 5.50\n')
  const read = await say('Read bread.txt', call('parse_receipt', { path: 'bread.txt' }))
  expect(results[0]).toContain('"total":"5.50","currency":"EUR","category":"food"')
  expect((await gateway.client.expenses()).total).toBe(0)
  expect(read.calls).toMatchObject([{ tool: 'parse_receipt', tier: 0, outcome: 'ok' }])

  const expense = {
    amount: '5.50',
    currency: 'EUR',
    category: 'food',
    description: 'Bread',
    date: '2026-03-02',
  }
  const booked = await say(
    'Book it and export',
    call('add_expense', expense),
    call('expense_summary', { by: 'month' }),
    call('export_expenses', { format: 'csv', path: 'march.csv' }),
  )
  expect(booked.calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ['add_expense', 'ok'],
    ['expense_summary', 'ok'],
    ['export_expenses', 'ok'],
    ['write_file', 'ok'],
  ])
  expect(results[1]).toContain('{"month":"2026-03","currency":"EUR","amount":"5.50","count":1,"percent":100}')
  expect(results[2]).toContain('Created march.csv')
  expect(readFileSync(path('march.csv'), 'utf8')).toContain('2026-03-02,5.50,EUR,food,Bread')
  expect(await gateway.client.expenseSummary()).toMatchObject({ totals: [{ amount: '5.50' }] })

  const undone = await gateway.client.undoRun(booked.run.id)
  await settledRun(gateway.client, undone.run)
  expect(existsSync(path('march.csv'))).toBe(false)
  expect((await gateway.client.expenses()).total).toBe(0)
})

test('what a stranger’s receipt led to is marked, and so is the file that it is exported to', async () => {
  writeFileSync(path('mail.txt'), 'Shop\n2026-03-03\nTotal EUR 9.00\n')
  await gateway.client.distrustFile('mail.txt')
  const expense = {
    amount: '9.00',
    currency: 'EUR',
    category: 'other',
    description: 'Shop',
    date: '2026-03-03',
  }
  await approved(
    await say('Book mail.txt', call('parse_receipt', { path: 'mail.txt' }), call('add_expense', expense)),
  )
  const { items } = await gateway.client.expenses()
  expect(items).toMatchObject([{ label: { integrity: 'untrusted' } }])
  const { calls } = await approved(
    await say('Export', call('export_expenses', { format: 'csv', path: 'all.csv' })),
  )
  expect(calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ['export_expenses', 'ok'],
    ['write_file', 'ok'],
  ])
  const { marks } = await gateway.client.fileMarks('all.csv')
  expect(marks).toMatchObject([{ path: 'all.csv', label: { integrity: 'untrusted' } }])
})

/** Where it asks, the operator says yes. */
async function approved(detail: Awaited<ReturnType<typeof say>>) {
  const pending = detail.approvals.find(({ state }) => state === 'pending')
  if (detail.run.state !== 'parked' || !pending) return detail
  await approve(installation, gateway.client, pending.code)
  return settledRun(gateway.client, detail.run.id)
}
