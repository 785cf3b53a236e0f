/** Asks the gateway how it does. Only with `deep` does it make work: the whole ledger, the database, the executor. */

import { CountersignError, type Status } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import {
  bad,
  channelsStand,
  type DoctorFinding,
  findingText,
  mailSignIns,
  ok,
  speech,
  warning,
} from '@countersign/contract/doctor'
import type { HomePaths } from '@countersign/contract/node'
import type { Context } from '../context.ts'
import { gatewayLog } from '../gateway-process.ts'
import { diskUse } from './disk-use.ts'
import { publicOrigins } from './origins.ts'

const executorMs = 30_000
const lookMs = 150

export async function gateway(context: Context, paths: HomePaths, deep: boolean): Promise<DoctorFinding[]> {
  let client: Client
  try {
    client = (await context.gateway()).client
    const status = await client.status()
    const signedIn = await checked('mail-accounts', async () => mailSignIns(await client.mailAccounts()))
    const spoken = await checked('speech', async () => speech(await client.routes(), paths))
    const told = await checked('channels', async () => channelsStand(await client.channels()))
    const reached = await checked('origins', async () => publicOrigins(await servedOrigins(client)))
    const running = [answering(status, paths), diskUse(status.disk), signedIn, spoken, told, reached]
    if (!deep) return running
    return [
      ...running,
      await checked('ledger', () => ledger(client)),
      await checked('database', () => database(client)),
      ...(freeProviders.has(status.model.provider)
        ? []
        : [await checked('background', () => background(client))]),
      await checked('executor', () => calls(context, client, sum)),
      await checked('sandbox-call', () => calls(context, client, listing)),
    ]
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'gateway_unreachable') {
      const unseen = deep ? ' The ledger, the database and the executor were not checked.' : ''
      return [warning('gateway', `${error.message}${unseen}`, 'Start it with `countersign up`.')]
    }
    return [bad('gateway', findingText(error), nextOf(error))]
  }
}

async function servedOrigins(client: Client): Promise<string[]> {
  const { origins } = await client.devices()
  return origins.filter(({ served }) => served).map(({ origin }) => origin)
}

function answering(status: Status, paths: HomePaths): DoctorFinding {
  const parts = [
    [status.database.ok, 'database'],
    [status.executor.ok, 'executor'],
    [status.model.ok, 'model'],
    [status.ledger.writable, 'ledger'],
  ] as const
  const broken = parts.filter(([fine]) => !fine).map(([, name]) => name)
  const named = broken.map((name) =>
    name === 'model' && status.model.problem !== null ? `model (${status.model.problem})` : name,
  )
  return broken.length === 0
    ? ok('gateway', `${status.url}, version ${status.version}`)
    : bad('gateway', `${status.url}: not ok: ${named.join(', ')}`, fixFor(broken, status, paths))
}

async function ledger(client: Client): Promise<DoctorFinding> {
  const report = await client.verifyLedger()
  if (report.ok) return ok('ledger', `${report.size} entries, signed up to ${report.signed}`)
  return bad(
    'ledger',
    report.problem ?? 'does not verify',
    'Export it with `countersign ledger export` and run `countersign-verify` on it.',
  )
}

const freeProviders: ReadonlySet<string> = new Set(['none', 'demo', 'ollama'])

/** What is done without somebody waiting costs money too, unless the model is free. */
async function background(client: Client): Promise<DoctorFinding> {
  const unattended = (await client.budgets()).filter(({ scope, hard }) => scope === 'unattended' && hard)
  const least = Math.min(...unattended.map(({ limitUsd, extraUsd }) => limitUsd + extraUsd))
  return least > 0
    ? ok('background', 'summaries, memory and routing may spend the unattended budget')
    : warning(
        'background',
        'unattended work may spend nothing: with a model that costs money, conversations are not summarised, nothing is remembered automatically, and teams choose by keywords only',
        'Allow a dollar a month with `countersign cost budget set unattended 1`.',
      )
}

/** A reading that goes to the tables themselves, and how long it took. */
async function database(client: Client): Promise<DoctorFinding> {
  const began = performance.now()
  await client.events(0, 1)
  return ok('database', `read in ${Math.round(performance.now() - began)} ms`)
}

interface TrialCall {
  readonly id: string
  readonly tool: string
  readonly args: string
  readonly what: string
}

const sum: TrialCall = {
  id: 'executor',
  tool: 'calculate',
  args: '{"expression":"6*7"}',
  what: 'the sum',
}
/** The executor tries its sandbox when it starts; this says whether it works at this moment. */
const listing: TrialCall = {
  id: 'sandbox-call',
  tool: 'list_directory',
  args: '{"path":"."}',
  what: 'the look into the workspace',
}

/** One call, through policy, permit, executor and ledger as ever. */
async function calls(
  context: Context,
  client: Client,
  { id, tool, args, what }: TrialCall,
): Promise<DoctorFinding> {
  const began = performance.now()
  const { run } = await client.callTool(tool, args)
  for (;;) {
    const detail = await client.run(run)
    const took = Math.round(performance.now() - began)
    if (detail.run.state === 'stopped') {
      return detail.run.reason === 'completed'
        ? ok(id, `${what} took ${took} ms, ${run}`)
        : bad(id, `${what} failed: ${detail.run.message}`, `See why with \`countersign why ${run}\`.`)
    }
    if (detail.run.state === 'parked')
      return warning(
        id,
        `${what} waits on ${detail.run.parkedOn ?? 'something'}`,
        `Look at it with \`countersign run show ${run}\`.`,
      )
    if (took > (context.flags.waitMs ?? executorMs))
      return bad(
        id,
        `${what} did not finish within ${took} ms`,
        `Look at it with \`countersign run show ${run}\`.`,
      )
    await context.host.wait(lookMs)
  }
}

async function checked(id: string, look: () => Promise<DoctorFinding>): Promise<DoctorFinding> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof Error) return bad(id, findingText(error), nextOf(error))
    throw error
  }
}

function nextOf(error: unknown): string {
  return error instanceof CountersignError
    ? error.next
    : 'Read the log; `countersign paths` shows where it is.'
}

function fixFor(broken: readonly string[], { model }: Status, paths: HomePaths): string {
  if (broken.length !== 1 || broken[0] !== 'model') return `Read ${gatewayLog(paths.logs)}.`
  return model.state === 'none'
    ? 'Add a provider with `countersign provider add`, and choose with `countersign model use`.'
    : `See whether it works again with \`countersign provider test ${model.provider}\`, or choose another model with \`countersign model use\`.`
}
