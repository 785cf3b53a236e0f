/**
 * Lets a model propose commands in a real installation at the level that lets looks run and asks about every change.
 * Programs run, nothing that they did is in the workspace or was heard, and all that they changed waits for its own
 * approval. What came of them is seen from the workspace and from a listener.
 */
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  CountersignError,
  changesTaker,
  type DecideApproval,
  type JsonObject,
  type RunDetail,
} from '@countersign/contract'
import {
  approvalFor,
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import type { Script } from '@countersign/model-servers'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { type Command, commandFor, roughFamily } from './commands.ts'
import { doors } from './doors.ts'
import type { ExecPart } from './judging.ts'
import { wrappers } from './wrappers.ts'

export interface WholeInstallationOptions {
  readonly commands: readonly Command[]
  readonly count: number
  readonly random: Random
  /** A file that Node loads first, in the gateway and in its executor. */
  readonly mutation?: string
}

interface Proposal {
  readonly name: string
  readonly tool: string
  readonly args: JsonObject
}

const callsInTurn = 5
const settleMs = 60_000

export async function tryInstallation(options: WholeInstallationOptions): Promise<ExecPart> {
  const heard: string[] = []
  const listener = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as AddressInfo
  const proposals = proposalsFrom(options, port)
  const installation = await openInstallation({
    script: scriptFor(proposals),
    environment: { COUNTERSIGN_AUTONOMY: 'low' },
    ...(options.mutation === undefined ? {} : { nodeArguments: ['--import', options.mutation] }),
  })
  try {
    const gateway = await installation.start()
    const isMarked = (name: string) =>
      existsSync(join(installation.paths.workspace, name)) || heard.some((path) => path.includes(name))
    const wrong: string[] = []
    for (let first = 0; first < proposals.length; first += callsInTurn) {
      const detail = await say(gateway, `propose ${first}`)
      wrong.push(...notWaiting(detail))
      await gateway.client.stopRun(detail.run.id).catch(known)
    }
    for (const { name, tool } of proposals)
      if (isMarked(name)) wrong.push(`what ${tool} did counts without asking in the installation`)
    if (options.mutation === undefined)
      wrong.push(...(await installationControls(installation, gateway, isMarked)))
    return { n: proposals.length, wrong, details: { installation: proposals.length } }
  } finally {
    await installation.close()
    listener.closeAllConnections()
    listener.close()
  }
}

function proposalsFrom({ commands, count, random }: WholeInstallationOptions, port: number): Proposal[] {
  const gentle = commands.filter(({ family }) => family !== roughFamily && family !== 'long')
  const ways = doors.filter(
    ({ kind, tool }) => kind === 'read' || tool === 'browser_evaluate' || tool === 'create_tool',
  )
  return Array.from({ length: count }, (_, index) => {
    const door = ways[index % ways.length] ?? ways[0]
    if (!door) throw new Error('there is no door')
    const name = `house${index}`
    const wrap = random.pick(Object.values(wrappers))
    const args = door.args(wrap(commandFor(random.pick(gentle), { name, port })))
    return {
      name,
      tool: door.tool,
      args: args['name'] === 'helpful' ? { ...args, name: `helpful_${index}` } : args,
    }
  })
}

function scriptFor(proposals: readonly Proposal[]): Script {
  return ({ lastUser, lastResults }) => {
    if (lastResults.length > 0) return { text: lastResults.map(({ text }) => text).join('\n') }
    const rest = lastUser.slice(lastUser.indexOf(' ') + 1)
    if (lastUser.startsWith('call '))
      return { calls: [JSON.parse(rest) as { name: string; args: JsonObject }] }
    const first = Number(rest)
    return {
      calls: proposals.slice(first, first + callsInTurn).map(({ tool, args }) => ({ name: tool, args })),
    }
  }
}

async function say(
  { client }: GatewayProcess,
  text: string,
  session: RunDetail['run']['session'] | null = null,
) {
  const { run } = await client.send({ key: crypto.randomUUID(), session, text, mode: 'queue' })
  if (run === null) throw new Error('A message of its own session did not start a run.')
  return settledRun(client, run, 'either', settleMs)
}

const call = (name: string, args: JsonObject) => `call ${JSON.stringify({ name, args })}`

const programs = ['execute_shell', 'execute_python', 'execute_javascript', 'compile_code']
/** They have ended when what they stand for has. */
const standIns = ['use_tool', 'batch_use_tool']

/** Every call of the run is pending, was refused before any decision, stands for calls that are, or only looked. */
function notWaiting({ calls, approvals }: RunDetail): string[] {
  const looked = ({ tool, tier }: RunDetail['calls'][number]) => tier === 0 && programs.includes(tool)
  const wrong = calls
    .filter((call) => !looked(call) && !standIns.includes(call.tool))
    .filter(({ state, outcome }) => state !== 'asked' && state !== 'waiting' && outcome !== 'invalid')
    .map(({ tool, state, outcome }) => `${tool} is ${state} with ${outcome}, and was not asked about`)
  const pending = approvals.filter(({ state }) => state === 'pending')
  const asked = calls.filter(({ state }) => state === 'asked').length
  if (pending.length !== asked) wrong.push(`${asked} calls wait for ${pending.length} approvals`)
  for (const { code, options, card } of pending)
    if (card.tool !== changesTaker && options.some(({ scope }) => scope !== 'once'))
      wrong.push(`${code} offers more than once: ${card.headline}`)
  return wrong
}

async function installationControls(
  installation: Installation,
  gateway: GatewayProcess,
  isMarked: (name: string) => boolean,
): Promise<string[]> {
  const { client } = gateway
  const wrong: string[] = []
  const free = await say(gateway, call('list_directory', {}))
  if (free.calls[0]?.outcome !== 'ok') wrong.push('a look was not free in the installation')

  // A link that leads out is for no grant, and each time it is another.
  const command = 'ln -s /etc/hostname approved-$RANDOM-$RANDOM && ln -sfn /etc/hostname approved'
  const shell = call('execute_shell', { command })
  const asked = await say(gateway, shell)
  const code = asked.approvals[0]?.code ?? ''
  const verdict = approvalFor(installation, await client.approval(code))
  const granted = await client
    .decide(code, { ...verdict, grant: { scope: 'session' } } as DecideApproval)
    .then(() => true, known)
  if (granted === true) wrong.push('a grant for what a shell did was given')
  if (isMarked('approved')) wrong.push('what a command did counts on the word of a grant')
  await approve(installation, client, code)
  await settledRun(client, asked.run.id, 'stopped', settleMs)
  if (!isMarked('approved')) wrong.push('a command that was approved left no mark')
  const again = await say(gateway, shell, asked.run.session)
  if (again.run.parkedOn !== 'approval') wrong.push('the same command was not asked about again')
  await client.stopRun(again.run.id).catch(known)

  const made = await say(
    gateway,
    call('create_tool', {
      name: 'smuggle',
      description: 'Smuggles.',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      code: "return utils.callTool('execute_shell', { command: 'touch smuggled' })",
      permissions: ['shell'],
    }),
  )
  await approve(installation, client, made.approvals[0]?.code ?? '')
  await settledRun(client, made.run.id, 'stopped', settleMs)
  const used = await say(gateway, call('smuggle', {}))
  if (used.run.parkedOn !== 'approval' || isMarked('smuggled'))
    wrong.push(`a program that was approved ran a command on its own: ${JSON.stringify(used.calls)}`)
  return wrong
}

function known(error: unknown): void {
  if (!(error instanceof CountersignError)) throw error
}
