/** Owns an installation in which the example of every tool can be made: its workspace is furnished and its records are kept. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject, RunDetail } from '@countersign/contract'
import { installScriptedAgent } from '@countersign/executor/scripted-agent'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { type ScriptReply, type ScriptTurn, startMediaServer } from '@countersign/model-servers'
import { type ExampleIds, exampleAccount, furnishWorkspace, makeWorld } from '@countersign/tools/testing'
import { waitFor } from './assistant-scenario.ts'

export interface ExampleInstallation {
  readonly installation: Installation
  readonly gateway: GatewayProcess
  readonly ids: ExampleIds
  /** Makes a call as the operator, approves what it asks, and waits for its end. */
  call(tool: string, args: JsonObject): Promise<RunDetail>
  /** Approves what a run asks and waits for its end. */
  settle(run: string): Promise<RunDetail>
  /** Lets the model make calls one after the other in one conversation; gives the run of each. */
  converse(calls: readonly { readonly name: string; readonly args: JsonObject }[]): Promise<RunDetail[]>
  close(): Promise<void>
}

export async function openExampleInstallation(
  environment: Readonly<Record<string, string>> = {},
  /** What the model says when a tool has it work on a text. */
  worked: () => JsonObject | undefined = () => undefined,
): Promise<ExampleInstallation> {
  const installation = await openInstallation({
    script: (turn) => replyTo(turn, worked()),
    environment: { COUNTERSIGN_TIME_ZONE: 'UTC', ...environment },
  })
  const media = await startMediaServer()
  try {
    mkdirSync(installation.paths.workspace, { recursive: true })
    // What it would gather from the conversations here is no work of the tools.
    mkdirSync(dirname(installation.paths.config), { recursive: true })
    const agent = installScriptedAgent(join(installation.home, 'agent'), installation.model.baseUrl('openai'))
    writeFileSync(
      installation.paths.config,
      JSON.stringify({ memory: { automatic: 'off' }, codingAgents: { example: agent } }),
    )
    furnishWorkspace(installation.paths.workspace)
    const targets = [environment['COUNTERSIGN_LOCAL_TARGETS'], new URL(installation.model.url).host]
    const gateway = await installation.start({
      COUNTERSIGN_LOCAL_TARGETS: targets.filter((target) => target !== undefined).join(','),
    })
    await gateway.client.storeMailAccount('home', { ...exampleAccount, password: 'correct-horse-9' })
    await gateway.client.addProvider({ name: 'media', kind: 'openai-compatible', url: `${media.url}/v1` })
    for (const purpose of ['images', 'speech', 'transcription'] as const)
      await gateway.client.setRoute(purpose, { models: [`media/${purpose}`] })
    await gateway.client.addProvider({
      name: 'box',
      kind: 'openai-compatible',
      url: installation.model.baseUrl('openai'),
    })
    await gateway.client.overrideModel('box/seeing', { capabilities: ['tools', 'vision'] })
    await gateway.client.setRoute('vision', { models: ['box/seeing'] })
    const call = async (tool: string, args: JsonObject) => {
      const { run } = await gateway.client.callTool(tool, JSON.stringify(args))
      return endOf(run, installation, gateway)
    }
    const ids = await makeWorld(async (tool, args, { begins }) => {
      const waiting = await parked(gateway)
      const { calls } = await call(tool, args)
      const [done] = calls
      if (done?.outcome !== 'ok') throw new Error(`${tool}: ${done?.summary}`)
      if (begins)
        await waitFor(async () => {
          if ((await parked(gateway)) === waiting) throw new Error(`What ${tool} began does not wait yet.`)
        })
      return done.result
    })
    return {
      installation,
      gateway,
      ids,
      call,
      settle: (run) => endOf(run, installation, gateway),
      converse: (calls) => converseIn(installation, gateway, calls),
      close: async () => {
        await installation.close()
        await media.close()
      },
    }
  } catch (error) {
    await installation.close()
    await media.close()
    throw error
  }
}

/** A call that somebody writes is made; the coding agent changes a file; an errand waits for an approval; nothing else is answered with a call. */
function replyTo(
  { lastUser, lastResults, messages, tools }: ScriptTurn,
  worked: JsonObject | undefined,
): ScriptReply {
  if (worked && tools.length === 1 && tools[0]?.name === 'answer')
    return { calls: [{ name: 'answer', args: worked }] }
  if (messages.some(({ images }) => images.length > 0))
    return { calls: [{ name: 'answer', args: { answer: 'A dot.' } }] }
  if (lastResults.length > 0) return { text: 'Done.' }
  if (tools.length === 1 && tools[0]?.name === 'sh')
    return { calls: [{ name: 'sh', args: { command: 'echo "// works" >> project/app.ts' } }] }
  if (lastUser.startsWith('<task>'))
    return { calls: [{ name: 'execute_shell', args: { command: 'ln -sfn /etc/hostname door' } }] }
  return lastUser.startsWith('{"name"') ? { calls: [JSON.parse(lastUser)] } : { text: 'Nothing to add.' }
}

async function parked({ client }: GatewayProcess): Promise<number> {
  return (await client.runs({ state: 'parked' })).length
}

async function converseIn(
  installation: Installation,
  gateway: GatewayProcess,
  calls: Parameters<ExampleInstallation['converse']>[0],
): Promise<RunDetail[]> {
  const ended: RunDetail[] = []
  for (const call of calls) {
    const session = ended[0]?.run.session ?? null
    const message = { key: crypto.randomUUID(), session, text: JSON.stringify(call), mode: 'auto' as const }
    const { run } = await gateway.client.send(message)
    ended.push(await endOf(run ?? '', installation, gateway))
  }
  return ended
}

async function endOf(
  run: string,
  installation: Installation,
  { client }: GatewayProcess,
): Promise<RunDetail> {
  let detail = await settledRun(client, run, 'either')
  while (detail.run.state === 'parked') {
    const waiting = detail.approvals.filter(({ state }) => state === 'pending')
    if (waiting.length === 0) throw new Error(`It waits for something else: ${detail.run.parkedOn}`)
    for (const { id } of waiting) await approve(installation, client, id)
    detail = await settledRun(client, run, 'either')
  }
  return detail
}
