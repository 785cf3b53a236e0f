/** Owns the installation on trial: one operator with a little of everything, and devices of every reach. */
import { randomUUIDv7 } from 'node:crypto'
import type { DeviceReach } from '@countersign/contract'
import { idFrom } from '@countersign/contract'
import { type GatewayProcess, type Installation, openInstallation, settledRun } from '@countersign/harness'
import pg from 'pg'
import {
  deviceStatement,
  type Holder,
  newHolder,
  revocation,
  signedBy,
} from '../../../../../packages/executor/src/testing/statements.ts'
import { type AccessRequest, send, signed } from './caller.ts'
import { pathOf, type Route } from './route.ts'

/** Stands in everything that belongs to the operator. */
export const canary = 'canary-4b1f0c'

export interface AccessInstallation {
  readonly installation: Installation
  readonly process: GatewayProcess
  readonly port: number
  readonly gateway: string
  readonly seal: Holder
  readonly decide: Holder
  readonly look: Holder
  readonly revoked: Holder
  readonly stranger: Holder
  /** A device that the database knows for another operator. */
  readonly otherOperator: Holder
  /** Of a program that asks as somebody whom the operator knows. */
  readonly token: string
  /** Runs a question against the database as the operator. */
  count(table: string): Promise<number>
  close(): Promise<void>
}

export async function openAccessInstallation(nodeArguments: readonly string[]): Promise<AccessInstallation> {
  const installation = await openInstallation({
    script: ({ lastUser, lastResults }) =>
      lastUser.includes('park') && lastResults.length === 0
        ? { calls: [{ name: 'execute_shell', args: { command: `ln -s /etc/hostname ${canary}` } }] }
        : { text: `About ${canary}.` },
    ...(nodeArguments.length === 0 ? {} : { nodeArguments }),
  })
  try {
    const process = await installation.start()
    const { trust, device } = installation.identity
    const gateway = trust.gateway.id
    const state = (statement: Parameters<typeof signedBy>[0]) =>
      process.client.stateDevice(signedBy(statement, device))
    const paired = async (reach: DeviceReach) => {
      const holder = newHolder()
      await state(deviceStatement(gateway, holder, reach))
      return holder
    }
    const [decide, look, revoked] = [await paired(2), await paired(0), await paired(3)]
    await state(revocation(gateway, revoked.id))
    const { token } = await process.client.addProgram({
      name: 'other-program',
      agents: ['reception', 'assistant'],
      role: 'trusted',
    })
    const database = new pg.Pool({ ...installation.databaseConnection(), max: 1 })
    const as = async (operator: string, text: string, values: unknown[] = []) => {
      await database.query('select set_config($1, $2, false)', ['app.operator', operator])
      return database.query(text, values)
    }
    return {
      installation,
      process,
      port: Number(new URL(process.url).port),
      gateway,
      seal: device,
      decide,
      look,
      revoked,
      stranger: newHolder(),
      token,
      otherOperator: await enrolElsewhere(as),
      async count(table) {
        const { rows } = await as(trust.operator, `select count(*)::int as count from ${table}`)
        return rows[0].count as number
      },
      async close() {
        await database.end()
        await installation.close()
      },
    }
  } catch (error) {
    await installation.close()
    throw error
  }
}

async function enrolElsewhere(
  as: (operator: string, text: string, values?: unknown[]) => Promise<unknown>,
): Promise<Holder> {
  const holder = newHolder()
  const operator = idFrom('op', randomUUIDv7())
  await as(operator, 'insert into operators (id, created_at) values ($1, now())', [operator])
  await as(
    operator,
    `insert into devices (operator_id, id, name, public_key, added_at, reach, platform)
     values ($1, $2, 'elsewhere', $3, now(), 3, 'test')`,
    [operator, holder.id, holder.keys.publicKey],
  )
  return holder
}

/** Fills the installation with the operator's own things, each with the canary in it. */
export async function furnish({ process, port, gateway, seal }: AccessInstallation): Promise<void> {
  const sent = await process.client.send({
    key: randomUUIDv7(),
    session: null,
    text: `park ${canary}`,
    mode: 'auto',
  })
  await settledRun(process.client, sent.run ?? '', 'parked', 60_000)
  const things: readonly [string, Record<string, unknown>][] = [
    ['/v1/notes', { title: canary, content: canary }],
    ['/v1/tasks', { title: canary }],
    ['/v1/expenses', { amount: '1', currency: 'EUR', category: 'other', description: canary }],
    ['/v1/bookmarks', { title: canary, url: `https://${canary}.example/` }],
    ['/v1/contacts', { name: canary }],
    ['/v1/goals', { title: canary }],
    ['/v1/memories', { content: canary, type: 'fact' }],
  ]
  for (const [path, thing] of things) {
    const asked: AccessRequest = { method: 'POST', path, body: JSON.stringify(thing) }
    await send(port, asked, signed(seal, asked, { port, gateway }))
  }
}

/** What would change if somebody acted. */
export async function stateOf(trial: AccessInstallation): Promise<string> {
  const tables = ['ledger_entries', 'inputs', 'runs', 'records', 'devices', 'grants', 'approvals']
  const counts = await Promise.all(tables.map(async (name) => `${name} ${await trial.count(name)}`))
  return counts.join(', ')
}

/** The first id of every list that the operator can see, by the path of the list. */
export async function idsOf(
  { port, gateway, seal }: AccessInstallation,
  routes: readonly Route[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const route of routes) {
    if (route.method !== 'GET' || route.template.includes('{')) continue
    const asked: AccessRequest = { method: 'GET', path: pathOf(route, ids), body: '' }
    const { text } = await send(port, asked, signed(seal, asked, { port, gateway }))
    const id = firstIdIn(text)
    if (id !== undefined) ids.set(route.template, id)
  }
  return ids
}

function firstIdIn(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as unknown
    const list = Array.isArray(value)
      ? value
      : Object.values(value as object).find((part) => Array.isArray(part) && part.length > 0)
    const [first] = (list ?? []) as { id?: unknown; name?: unknown }[]
    const id = first?.id ?? first?.name
    return typeof id === 'string' ? id : undefined
  } catch {
    // A text that is no JSON is no list.
    return undefined
  }
}
