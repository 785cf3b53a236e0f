/** A run with ten allowed calls through the whole gateway, against ten empty steps of a bare durable workflow. */

import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { type BenchInstallation, openBenchInstallation } from '../bench-installation.ts'
import { inLanes } from '../lanes.ts'
import { cpuDuring, type ProcessGroup, processGroup } from '../processes.ts'
import { median, rounded, timed } from '../sample.ts'
import type { WorkflowsAnswer, WorkflowsQuestion } from '../side/bare-workflows.ts'
import { type SideProcess, startSideProcess } from '../side-process.ts'
import { openSocketClient, type SocketClient } from '../socket-client.ts'

export const steps: Bench = {
  name: 'steps',
  about: 'runs/s with ten allowed calls, against workflows/s of ten steps on bare DBOS',
  run: measure,
}

type Bare = SideProcess<WorkflowsQuestion, WorkflowsAnswer>

async function measure({ small, note }: BenchOptions): Promise<BenchResult> {
  const size = small
    ? { rounds: 3, count: 40, concurrency: 20, warmUp: 80 }
    : { rounds: 7, count: 160, concurrency: 32, warmUp: 400 }
  const setting = await openBenchInstallation()
  const bare: Bare = startSideProcess('bare-workflows.ts')
  try {
    await bare.ask({ kind: 'open', connection: { ...setting.installation.databaseConnection() } })
    const client = await openSocketClient(setting.gateway.url, setting.installation.signer)
    await requireRealCalls(setting, client)
    const runs = (count: number, words: string) =>
      inLanes(count, size.concurrency, async () => {
        const { run, reason } = await client.converse(words, null)
        if (reason !== 'completed') throw new Error(`${run} ended: ${reason}`)
      })
    const workflows = (count: number) => bare.ask({ kind: 'run', count, concurrency: size.concurrency })
    // The first hundred runs cost the gateway twice the processor time of later ones.
    await runs(size.warmUp, 'ten calls')
    await workflows(size.warmUp)

    const rounds: Round[] = []
    for (let index = 0; index < size.rounds; index += 1) {
      const round = await measureRound(setting, bare, size.count, {
        ours: () => timed(() => runs(size.count, 'ten calls')),
        bare: () => workflows(size.count),
      })
      note(`steps round ${index + 1}: ${rounded(round.ours)} runs/s, ${rounded(round.bare)} workflows/s`)
      rounds.push(round)
    }
    const turnsCount = Math.ceil(size.count / 4)
    const turnsMs = await timed(() => runs(turnsCount, 'ten turns'))
    client.close()
    return reportOf(rounds, size, (turnsCount / turnsMs) * 1_000)
  } finally {
    await bare.close()
    await setting.close()
  }
}

interface Round {
  readonly ours: number
  readonly bare: number
  readonly cpu: Readonly<Record<string, number>>
  readonly bareCpu: Readonly<Record<string, number>>
}

async function measureRound(
  { processes }: BenchInstallation,
  bare: Bare,
  count: number,
  work: { ours: () => Promise<number>; bare: () => Promise<number> },
): Promise<Round> {
  const perRun = async (groups: Readonly<Record<string, ProcessGroup>>, measured: () => Promise<number>) => {
    let ms = 0
    const cpu = await cpuDuring(groups, async () => {
      ms = await measured()
    })
    const shares = Object.entries(cpu).map(([name, seconds]) => [name, seconds / count] as const)
    return { rate: (count / ms) * 1_000, cpu: Object.fromEntries(shares) }
  }
  const ours = await perRun(
    { ...processes, driver: processGroup(process.pid, () => [bare.pid, ...childrenOf(processes)]) },
    work.ours,
  )
  const floor = await perRun({ workflows: processGroup(bare.pid), postgres: processes.postgres }, work.bare)
  return { ours: ours.rate, bare: floor.rate, cpu: ours.cpu, bareCpu: floor.cpu }
}

/** The first process of each group, so that the driver is counted without what it started. */
function childrenOf(processes: BenchInstallation['processes']): number[] {
  return Object.values(processes).flatMap((group) => group.pids().slice(0, 1))
}

function reportOf(rounds: readonly Round[], size: object, turnsRate: number): BenchResult {
  const ratio = median(rounds.map((round) => round.ours / round.bare))
  const milliseconds = (pick: (round: Round) => Readonly<Record<string, number>>) => {
    const names = Object.keys(rounds[0] ? pick(rounds[0]) : {})
    const medianOf = (name: string) => median(rounds.map((round) => pick(round)[name] ?? 0)) * 1_000
    return Object.fromEntries(names.map((name) => [name, rounded(medianOf(name))]))
  }
  const all = (cpu: Readonly<Record<string, number>>) =>
    Object.entries(cpu).reduce((sum, [name, seconds]) => (name === 'driver' ? sum : sum + seconds), 0)
  return {
    figures: {
      runsPerSecond: rounded(median(rounds.map((round) => round.ours))),
      workflowsPerSecond: rounded(median(rounds.map((round) => round.bare))),
      ratio: rounded(ratio),
      // Says what the ratio would be were the processor the only limit; a busy machine disturbs it least.
      cpuRatio: rounded(median(rounds.map((round) => all(round.bareCpu) / all(round.cpu)))),
      ratios: rounds.map((round) => rounded(round.ours / round.bare)),
      cpuMsPerRun: milliseconds((round) => round.cpu),
      cpuMsPerWorkflow: milliseconds((round) => round.bareCpu),
      tenTurnsRunsPerSecond: rounded(turnsRate),
      ...size,
    },
    goals: [{ name: 'ratio', value: ratio, kind: 'ratio', limit: { atLeast: 0.5 } }],
  }
}

/** A fast refusal would look like speed. */
async function requireRealCalls({ gateway }: BenchInstallation, client: SocketClient): Promise<void> {
  for (const words of ['ten calls', 'ten turns']) {
    const { run } = await client.converse(words, null)
    const { calls } = await gateway.client.run(run)
    const good = calls.filter((call) => call.outcome === 'ok' && call.tier === 0)
    if (good.length !== 10)
      throw new Error(`"${words}" made ${good.length} good calls of tier T0: ${JSON.stringify(calls)}`)
  }
}
