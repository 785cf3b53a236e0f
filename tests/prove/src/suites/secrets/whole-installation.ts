/**
 * Trials of a whole installation: an agent uses every secret against a service that gives it back in every form, a model says
 * values that it must not know, and an operator pastes one. Then everything that the installation sent, showed and kept is
 * looked through.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CountersignError, type RunId, secretHandle } from '@countersign/contract'
import { type Client, connect, createClient, type Transport } from '@countersign/contract/client'
import { approve, type GatewayProcess, type Installation, openInstallation } from '@countersign/harness'
import type { Script } from '@countersign/model-servers'
import pg from 'pg'
import type { Canaries, Canary } from './canaries.ts'
import { type EchoService, startEcho } from './echo.ts'

export interface InstallationTrials {
  readonly n: number
  readonly wrong: string[]
  readonly details: Record<string, unknown>
}

export interface InstallationTrialOptions {
  readonly canaries: Canaries
  /** A file that Node loads first, in the gateway and in its executor. */
  readonly mutation?: string
  log(line: string): void
}

const secretsInTurn = 5
/** Seldom, so that all stay below what the tool may be used in a minute. */
const addressEvery = 20
const runsAtOnce = 4
const settleMs = 60_000

export async function installationTrials({
  canaries,
  mutation,
  log,
}: InstallationTrialOptions): Promise<InstallationTrials> {
  const echo = await startEcho(canaries.all)
  const installation = await openInstallation({
    script: scriptFor(canaries.all, echo),
    environment: { COUNTERSIGN_LOCAL_TARGETS: `127.0.0.1:${echo.port}` },
    ...(mutation === undefined ? {} : { nodeArguments: ['--import', mutation] }),
  })
  try {
    const gateway = await installation.start()
    const witness = createWitness(installation, gateway)
    await witness.listen()
    await storeAll(canaries.all, witness.client, echo)
    await useAll(canaries.all, installation, witness.client, log)
    await askForEverything(canaries.all, witness.client)
    const sinks = await witness.everything()
    return judged(sinks, canaries, echo)
  } finally {
    await installation.close()
    await echo.close()
  }
}

function judged(
  sinks: ReadonlyMap<string, string>,
  canaries: Canaries,
  echo: EchoService,
): InstallationTrials {
  const wrong: string[] = []
  const sizes: Record<string, number> = {}
  for (const [sink, text] of sinks) {
    sizes[sink] = text.length
    for (const seen of canaries.seenIn(text)) wrong.push(`${sink}: ${seen}`)
  }
  for (const { name } of canaries.all) {
    if (!echo.arrived.has(name)) wrong.push(`${name} never reached its service`)
    if (!sinks.get('model requests')?.includes(`‹secret:${name}›`))
      wrong.push(`${name} came back and no mark tells of it`)
  }
  const bytes = Object.values(sizes).reduce((sum, size) => sum + size, 0)
  return { n: canaries.all.length * sinks.size, wrong, details: { sinks: sizes, bytes } }
}

/** Uses five secrets in a turn, tries one by its value, and says the values afterwards, in small pieces. */
function scriptFor(canaries: readonly Canary[], echo: EchoService): Script {
  const place = `http://127.0.0.1:${echo.port}`
  const handle = (at: number) => secretHandle(canaries[at]?.name ?? '')
  const inBody = (wanted: readonly number[]) => ({
    name: 'http_request',
    args: {
      url: `${place}/use`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"keys":[${wanted.map((at) => `"${handle(at)}"`).join()}]}`,
    },
  })
  const inAddress = ([at = 0]: readonly number[]) =>
    at % addressEvery === 0 ? [{ name: 'http_request', args: { url: `${place}/use?key=${handle(at)}` } }] : []
  return ({ lastUser, lastResults }) => {
    const wanted = numbersIn(lastUser)
    const values = wanted.map((at) => canaries[at]?.value ?? '')
    if (lastResults.length > 0) {
      const told = lastResults.map(({ text }) => text).join('\n')
      return { text: `${told}\nThe values are ${values.join(' and ')}.`, chunkSize: 7 }
    }
    const known = {
      name: 'http_request',
      args: { url: `${place}/known?key=${encodeURIComponent(values[0] ?? '')}` },
    }
    return {
      text: `I take ${values[0]}.`,
      chunkSize: 5,
      tokenDelayMs: 4,
      calls: [inBody(wanted), ...inAddress(wanted), known],
    }
  }
}

function numbersIn(message: string): number[] {
  return (/^use ([\d ]+):/.exec(message)?.[1] ?? '').split(' ').filter(Boolean).map(Number)
}

async function storeAll(canaries: readonly Canary[], client: Client, { port }: EchoService): Promise<void> {
  for (const { name, value } of canaries) {
    await client.storeSecret(name, {
      value,
      destinations: [{ scheme: 'http', host: '127.0.0.1', port }],
      description: `a canary, which is not ${value}`,
    })
  }
}

async function useAll(
  canaries: readonly Canary[],
  installation: Installation,
  client: Client,
  log: (line: string) => void,
): Promise<void> {
  const turns = Array.from({ length: Math.ceil(canaries.length / secretsInTurn) }, (_, turn) =>
    canaries
      .slice(turn * secretsInTurn, (turn + 1) * secretsInTurn)
      .map((_each, at) => turn * secretsInTurn + at),
  )
  let next = 0
  const work = async () => {
    for (let turn = turns[next++]; turn; turn = turns[next++]) {
      const pasted = canaries[turn[0] ?? 0]?.value ?? ''
      const { run } = await client.send({
        key: `secrets-${turn.join('-')}`,
        session: null,
        text: `use ${turn.join(' ')}: my own key is ${pasted}`,
        mode: 'queue',
      })
      if (run === null) throw new Error('A message of its own session did not start a run.')
      await settle(run, installation, client)
      if (next % 10 === 0) log(`${Math.min(next * secretsInTurn, canaries.length)} secrets used`)
    }
  }
  await Promise.all(Array.from({ length: runsAtOnce }, work))
}

/** Approves whatever the run asks for until it has ended. */
async function settle(run: RunId, installation: Installation, client: Client): Promise<void> {
  const until = Date.now() + settleMs
  for (;;) {
    const { run: now, approvals } = await client.run(run)
    if (now.state === 'stopped') return
    if (Date.now() > until) throw new Error(`${run} did not end: ${now.state}`)
    for (const approval of approvals) {
      if (approval.state !== 'pending') continue
      await approve(installation, client, approval.id).catch((error: unknown) => {
        if (!(error instanceof CountersignError)) throw error
      })
    }
    await new Promise((resume) => setTimeout(resume, 20))
  }
}

/** Every answer of the API, with errors that repeat what they were asked. */
async function askForEverything(canaries: readonly Canary[], client: Client): Promise<void> {
  await client.status()
  await client.secrets()
  await client.questions()
  await client.grants()
  for (const { id } of await client.sessions()) await client.session(id)
  for (const { id } of await client.runs()) {
    await client.run(id)
    await client.why(id).catch(known)
  }
  for (const { id } of await client.approvals()) await client.approval(id)
  for (const { value } of canaries.slice(0, 20)) {
    await client.why(value.slice(0, 400)).catch(known)
    await client.run(value.slice(0, 60)).catch(known)
  }
  await client.verifyLedger()
}

function known(error: unknown): void {
  if (!(error instanceof CountersignError)) throw error
}

/** Keeps what the installation sends, and reads what it keeps. */
function createWitness(installation: Installation, gateway: GatewayProcess) {
  const answers: string[] = []
  const frames: string[] = []
  const deltas = new Map<string, string>()
  const transport: Transport = async (url, request) => {
    const response = await fetch(url, request)
    const text = await response.text()
    answers.push(text)
    return new Response(text, { status: response.status, headers: response.headers })
  }
  const client = createClient({ url: gateway.url, signer: installation.signer, fetch: transport })
  return {
    client,
    async listen(): Promise<void> {
      await connect({
        url: gateway.url,
        signer: installation.signer,
        since: 0,
        onFrame(frame) {
          frames.push(JSON.stringify(frame))
          if (frame.type !== 'delta') return
          const key = `${frame.run} ${frame.turn} ${frame.kind}`
          deltas.set(key, (deltas.get(key) ?? '') + frame.text)
        },
      })
    },
    async everything(): Promise<ReadonlyMap<string, string>> {
      const exported = await new Response((await client.exportLedger()) ?? '').text()
      const tables = await tablesOf(installation)
      const requests = installation.model.requests.map(({ body, headers }) => JSON.stringify([body, headers]))
      return new Map([
        ['model requests', requests.join('\n')],
        ['answers of the api', answers.join('\n')],
        ['frames of the socket', frames.join('\n')],
        ['text as it streams', [...deltas.values()].join('\n')],
        ['ledger export', exported],
        ['log', gateway.log()],
        ...tables,
        ...filesOf(installation.home, installation.paths.database),
      ])
    },
  }
}

/** Every row of every table as text, as the operator whose rows they are. */
async function tablesOf(installation: Installation): Promise<[string, string][]> {
  const database = new pg.Client(installation.databaseConnection())
  await database.connect()
  try {
    const { rows } = await database.query<{ name: string }>(
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    )
    const found: [string, string][] = []
    for (const { name } of rows) {
      await database.query('begin')
      await database.query("select set_config('app.operator', $1, true)", [
        installation.identity.trust.operator,
      ])
      const { rows: texts } = await database.query<{ text: string }>(`select t::text as text from ${name} t`)
      await database.query('commit')
      found.push([`table ${name}`, texts.map(({ text }) => text).join('\n')])
    }
    return found
  } finally {
    await database.end()
  }
}

/** Every file of the home but the database's own, byte by byte. */
function filesOf(home: string, database: string): [string, string][] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(database))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`file ${relative(home, path)}`, readFileSync(path, 'latin1')])
}
