/** What the gateway costs while nobody needs it: processor and memory of all its processes together. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { openBenchInstallation } from '../bench-installation.ts'
import { cpuDuring } from '../processes.ts'
import { rounded } from '../sample.ts'
import { openSocketClient } from '../socket-client.ts'

export const idle: Bench = {
  name: 'idle',
  about: 'processor and memory of gateway, executor and PostgreSQL while nothing happens',
  run: measure,
}

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const { settleMs, watchMs } = small
    ? { settleMs: 10_000, watchMs: 20_000 }
    : { settleMs: 70_000, watchMs: 60_000 }
  const setting = await openBenchInstallation()
  try {
    const client = await openSocketClient(setting.gateway.url, setting.installation.signer)
    await client.converse('ten calls', null)
    client.close()
    const { model: _model, ...watched } = setting.processes
    note(`idle: settles for ${settleMs / 1_000} s, then is watched for ${watchMs / 1_000} s`)
    await sleep(settleMs)
    const began = performance.now()
    const cpu = await cpuDuring(watched, () => sleep(watchMs))
    const watchedMs = performance.now() - began
    const names = Object.keys(watched) as (keyof typeof watched)[]
    const shares = names.map((name) => [name, (cpu[name] / watchedMs) * 100_000] as const)
    const memory = names.map((name) => [name, watched[name].pssMegabytes()] as const)
    const percent = total(shares)
    const megabytes = total(memory)
    return {
      figures: {
        cpuPercent: rounded(percent),
        cpuPercentBy: readable(shares),
        pssMegabytes: rounded(megabytes),
        pssMegabytesBy: readable(memory),
        processes: names.reduce((sum, name) => sum + watched[name].pids().length, 0),
        watchedSeconds: rounded(watchedMs / 1_000),
      },
      goals: [
        { name: 'cpuPercent', value: percent, kind: 'time', limit: { atMost: 1.2 } },
        { name: 'pssMegabytes', value: megabytes, kind: 'memory', limit: { atMost: 250 } },
      ],
    }
  } finally {
    await setting.close()
  }
}

type Parts = readonly (readonly [string, number])[]

const total = (parts: Parts): number => parts.reduce((sum, [, value]) => sum + value, 0)

const readable = (parts: Parts): Record<string, number> =>
  Object.fromEntries(parts.map(([name, value]) => [name, rounded(value)]))
