/** Owns a house in which the example of every tool can be made: its workspace is furnished and its records are kept. */
import { mkdirSync } from 'node:fs'
import type { JsonObject, RunDetail } from '@countersign/contract'
import { approve, type GatewayProcess, type House, openHouse, settledRun } from '@countersign/harness'
import { type ExampleIds, type ExampleRecord, furnishWorkspace, worldCalls } from '@countersign/tools/testing'

export interface ExampleHouse {
  readonly house: House
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

export async function openExampleHouse(
  environment: Readonly<Record<string, string>> = {},
): Promise<ExampleHouse> {
  const house = await openHouse({
    script: ({ lastUser, lastResults }) =>
      lastResults.length > 0 ? { text: 'Done.' } : { calls: [JSON.parse(lastUser)] },
    environment,
  })
  try {
    mkdirSync(house.paths.workspace, { recursive: true })
    furnishWorkspace(house.paths.workspace)
    const gateway = await house.start()
    const made: Partial<Record<ExampleRecord, string>> = {}
    const call = async (tool: string, args: JsonObject) => {
      const { run } = await gateway.client.callTool(tool, JSON.stringify(args))
      return endOf(run, house, gateway)
    }
    for (const { tool, args, as } of worldCalls) {
      const { calls } = await call(tool, args)
      const [done] = calls
      if (done?.outcome !== 'ok') throw new Error(`${tool}: ${done?.summary}`)
      if (as) made[as] = /"id":"([^"]+)"/.exec(done.result)?.[1] ?? ''
    }
    return {
      house,
      gateway,
      ids: made as ExampleIds,
      call,
      settle: (run) => endOf(run, house, gateway),
      converse: (calls) => converseIn(house, gateway, calls),
      close: () => house.close(),
    }
  } catch (error) {
    await house.close()
    throw error
  }
}

async function converseIn(
  house: House,
  gateway: GatewayProcess,
  calls: Parameters<ExampleHouse['converse']>[0],
): Promise<RunDetail[]> {
  const ended: RunDetail[] = []
  for (const call of calls) {
    const session = ended[0]?.run.session ?? null
    const message = { key: crypto.randomUUID(), session, text: JSON.stringify(call), mode: 'auto' as const }
    const { run } = await gateway.client.send(message)
    ended.push(await endOf(run ?? '', house, gateway))
  }
  return ended
}

async function endOf(run: string, house: House, { client }: GatewayProcess): Promise<RunDetail> {
  let detail = await settledRun(client, run, 'either')
  while (detail.run.state === 'parked') {
    const waiting = detail.approvals.filter(({ state }) => state === 'pending')
    if (waiting.length === 0) throw new Error(`It waits for something else: ${detail.run.parkedOn}`)
    for (const { id } of waiting) await approve(house, client, id)
    detail = await settledRun(client, run, 'either')
  }
  return detail
}
