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
  close(): Promise<void>
}

export async function openExampleHouse(
  environment: Readonly<Record<string, string>> = {},
): Promise<ExampleHouse> {
  const house = await openHouse({ script: () => ({ text: 'Nothing to do.' }), environment })
  try {
    mkdirSync(house.paths.workspace, { recursive: true })
    furnishWorkspace(house.paths.workspace)
    const gateway = await house.start()
    const made: Partial<Record<ExampleRecord, string>> = {}
    const call = (tool: string, args: JsonObject) => callIn(house, gateway, tool, args)
    for (const { tool, args, as } of worldCalls) {
      const { calls } = await call(tool, args)
      const [done] = calls
      if (done?.outcome !== 'ok') throw new Error(`${tool}: ${done?.summary}`)
      if (as) made[as] = /"id":"([^"]+)"/.exec(done.result)?.[1] ?? ''
    }
    return { house, gateway, ids: made as ExampleIds, call, close: () => house.close() }
  } catch (error) {
    await house.close()
    throw error
  }
}

async function callIn(
  house: House,
  { client }: GatewayProcess,
  tool: string,
  args: JsonObject,
): Promise<RunDetail> {
  const { run } = await client.callTool(tool, JSON.stringify(args))
  let detail = await settledRun(client, run, 'either')
  while (detail.run.state === 'parked') {
    const waiting = detail.approvals.filter(({ state }) => state === 'pending')
    if (waiting.length === 0) throw new Error(`${tool} waits for something else: ${detail.run.parkedOn}`)
    for (const { id } of waiting) await approve(house, client, id)
    detail = await settledRun(client, run, 'either')
  }
  return detail
}
