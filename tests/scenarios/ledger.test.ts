import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerEntryView } from '@countersign/contract'
import { createLedgerFollowing } from '@countersign/contract/client'
import {
  connect,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
let database: pg.Client

const secret = 'sk-test-0123456789abcdef'

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser, lastResults }) => {
      if (lastResults.length > 0) return { text: 'Done.' }
      if (lastUser.includes('note')) {
        return {
          calls: [{ name: 'write_file', args: { path: lastUser.split(' ')[1] ?? '', content: lastUser } }],
        }
      }
      return { text: `The key is ${secret}, or ${Buffer.from(secret).toString('base64')}.` }
    },
  })
  gateway = await installation.start()
  database = new pg.Client(installation.databaseConnection())
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await installation.close()
})

const say = (text: string) =>
  gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
const as = (operator: string, sql: string) =>
  database.query(
    `begin; set local search_path = countersign; set local app.operator = '${operator}'; ${sql}; commit`,
  )

test('refuses to change or delete an entry, even for the owner of the table', async () => {
  await settledRun(gateway.client, (await say('hello')).run ?? '')
  const { operator } = installation.identity.trust
  for (const change of [
    "update ledger_entries set type = 'x'",
    'delete from ledger_entries',
    'delete from checkpoints',
  ]) {
    await expect(as(operator, change)).rejects.toThrow('append-only')
    await database.query('rollback')
  }
})

test('shows one operator nothing of another', async () => {
  const rows = async (operator: string) => {
    const results = (await as(operator, 'select count(*)::int as n from runs')) as unknown as pg.QueryResult<{
      n: number
    }>[]
    return results[3]?.rows[0]?.n
  }
  expect(await rows(installation.identity.trust.operator)).toBeGreaterThan(0)
  expect(await rows('op_00000000000000000000000000000000')).toBe(0)
  const foreign = `insert into sessions (operator_id, id, title, created_at, updated_at, label)
    values ('${installation.identity.trust.operator}', 'ses_x', '', now(), now(), '{}')`
  await expect(as('op_00000000000000000000000000000000', foreign)).rejects.toThrow('row-level security')
  await database.query('rollback')
})

test('keeps a secret out of the ledger, the events and the log, in every encoding', async () => {
  await settledRun(gateway.client, (await say('tell me the key')).run ?? '')
  const exported = await new Response(await gateway.client.exportLedger()).text()
  const events = JSON.stringify(await gateway.client.events(0))
  for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')]) {
    for (const sink of [exported, events, gateway.log()]) expect(sink).not.toContain(form)
  }
  expect(events).toContain('‹secret:model-key›')
})

test('does nothing while the ledger cannot be written, and goes on when it can', async () => {
  const file = join(installation.paths.workspace, 'later.txt')
  const { run } = await say('note later.txt first')
  await settledRun(gateway.client, run ?? '')
  expect(readFileSync(file, 'utf8')).toBe('note later.txt first')

  await database.query(
    'alter table countersign.ledger_entries add constraint full_disk check (false) not valid',
  )
  await expect(say('note blocked.txt')).rejects.toMatchObject({ code: 'internal' })
  expect((await gateway.client.status()).ledger.writable).toBe(false)
  expect(existsSync(join(installation.paths.workspace, 'blocked.txt'))).toBe(false)

  await database.query('alter table countersign.ledger_entries drop constraint full_disk')
  const { run: later } = await say('note allowed.txt')
  await settledRun(gateway.client, later ?? '')
  expect(existsSync(join(installation.paths.workspace, 'allowed.txt'))).toBe(true)
  expect((await gateway.client.verifyLedger()).ok).toBe(true)
})

test('streams its entries on the socket, resumed without a gap or a second time', async () => {
  const entries: LedgerEntryView[] = []
  let grown: () => void = () => undefined
  const { size: after } = await gateway.client.ledger({ limit: 1 })
  const following = createLedgerFollowing({
    id: 'scenario',
    after,
    q: '',
    language: 'en',
    onEntries: (fresh) => {
      entries.push(...fresh)
      grown()
    },
  })
  const open = () =>
    connect({ url: gateway.url, signer: installation.signer, since: null, onFrame: following.take })
  const reached = async () => {
    const { size } = await gateway.client.ledger({ limit: 1 })
    while ((entries.at(-1)?.seq ?? 0) < size)
      await new Promise<void>((resolve) => {
        grown = resolve
      })
  }
  const first = await open()
  first.followLedger(following.frame())
  await settledRun(gateway.client, (await say('note streamed.txt')).run ?? '')
  await reached()
  first.close()
  await first.ended
  // Written while nobody follows, some of them without any event.
  for (let count = 0; count < 130; count += 1) await gateway.client.setProfile({ facts: [`Fact ${count}`] })
  const second = await open()
  second.followLedger(following.frame())
  await reached()
  await gateway.client.setProfile({ facts: [] })
  await reached()
  const last = entries.at(-1)?.seq ?? 0
  expect(entries.map(({ seq }) => seq)).toEqual(
    Array.from({ length: last - after }, (_, index) => after + 1 + index),
  )
  const pages = await gateway.client.ledger({ after: last - 3, limit: 500 })
  const unsigned = (entry: LedgerEntryView | undefined) => ({ ...entry, signed: true })
  expect(unsigned(entries.at(-1))).toEqual(unsigned(pages.entries[0]))
  second.close()
})
