/**
 * What servers cost that are let in and not used: 20 of them with 400 tools. The tokens of tools that a model is sent, the start
 * of the gateway beside one without servers, in turn, and the processes that run before a call, after it, and when nobody asks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { keepManyServers } from '@countersign/executor/many-servers'
import { type GatewayProcess, type Installation, openInstallation, settledRun } from '@countersign/harness'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { processGroup } from '../processes.ts'
import { median, rounded, timed } from '../sample.ts'

export const serversCost: Bench = {
  name: 'servers-cost',
  about: 'what 20 servers with 400 tools cost a prompt, a start and an idle hour, against none',
  run: measure,
}

const many = { servers: 20, tools: 20 } as const
/** As many as are called, one after the other. */
const called = 3
/** The executor stops a server that nobody asks after two minutes. */
const idleMs = 130_000

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const [bare, full] = await Promise.all([openPlace(), openPlace()])
  try {
    await keepManyServers(full.paths.executor, many)
    const starts = { bare: [] as number[], full: [] as number[] }
    for (let round = 0; round < (small ? 2 : 7); round += 1) {
      starts.bare.push(await startTime(bare))
      starts.full.push(await startTime(full))
    }
    note(`servers-cost: ${starts.full.length} starts of each, in turn; the first of each makes its database`)
    const tokens = { bare: await toolTokens(bare), full: await toolTokens(full) }
    const processes = await processesOf(full, small)
    const ratio = median(starts.full.slice(1).map((ms, at) => ms / (starts.bare[at + 1] ?? Number.NaN)))
    return {
      figures: {
        servers: many.servers,
        tools: many.servers * many.tools,
        toolTokens: tokens.full,
        toolTokensWithout: tokens.bare,
        startRatio: rounded(ratio),
        startMs: rounded(median(starts.full.slice(1))),
        startMsWithout: rounded(median(starts.bare.slice(1))),
        processes,
      },
      goals: [
        { name: 'toolTokens', value: tokens.full, kind: 'size', limit: { atMost: 1_500 } },
        { name: 'startRatio', value: ratio, kind: 'ratio', limit: { atMost: 1.2 } },
        { name: 'startedUnasked', value: processes.atStart, kind: 'size', limit: { atMost: 0 } },
        ...(processes.afterIdle === null
          ? []
          : [
              {
                name: 'leftWhenIdle',
                value: processes.afterIdle,
                kind: 'size',
                limit: { atMost: 0 },
              } as const,
            ]),
      ],
    }
  } finally {
    await Promise.all([bare.close(), full.close()])
  }
}

function openPlace(): Promise<Installation> {
  return openInstallation({ script: () => ({ text: 'Well.' }) })
}

async function startTime(place: Installation): Promise<number> {
  let gateway: GatewayProcess | undefined
  const ms = await timed(async () => {
    gateway = await place.start()
  })
  await gateway?.stop()
  return ms
}

async function toolTokens(place: Installation): Promise<number> {
  const gateway = await place.start()
  const sent = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null,
    text: 'Hello',
    mode: 'auto',
  })
  await settledRun(gateway.client, sent.run ?? '')
  await gateway.stop()
  const lists = place.model.requests.map(({ body }) => countTokens(JSON.stringify(body['tools'] ?? [])))
  return Math.max(...lists)
}

/** Beyond those of an executor that no server was asked of. */
async function processesOf(place: Installation, small: boolean) {
  const gateway = await place.start()
  const { executor } = await gateway.client.status()
  const group = processGroup(executor.pid ?? 0)
  const servers = () =>
    group
      .commands()
      .filter(([program = '', script]) => /(^|\/)node$/.test(program) && script === '/extension/server.cjs')
      .length
  const atStart = servers()
  const firstCallMs = await timed(() => call(gateway, 'many_0__look_at_0'))
  const secondCallMs = await timed(() => call(gateway, 'many_0__look_at_0'))
  for (let at = 1; at < called; at += 1) await call(gateway, `many_${at}__look_at_0`)
  const afterCalls = servers()
  if (!small) await sleep(idleMs)
  const afterIdle = small ? null : servers()
  await gateway.stop()
  return {
    atStart,
    called,
    afterCalls,
    afterIdle,
    firstCallMs: rounded(firstCallMs),
    secondCallMs: rounded(secondCallMs),
  }
}

async function call({ client }: GatewayProcess, tool: string): Promise<void> {
  const { run } = await client.callTool(tool, '{}')
  const { calls } = await settledRun(client, run)
  if (calls[0]?.outcome !== 'ok') throw new Error(`${tool}: ${calls[0]?.result ?? 'not called'}`)
}
