/**
 * Owns the storm: runs that come in over two gateways, a few stopped halfway, and gateways that are killed while calls
 * are under way and started again. Ends when every run has ended or waits for the operator.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { CountersignError, type RunView } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { GatewayProcess, Installation } from '@countersign/harness'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { until } from '../../until.ts'
import { messageOf, type Provider } from './provider.ts'

export interface StormOptions {
  readonly installation: Installation
  readonly provider: Provider
  readonly random: Random
  readonly runs: number
  readonly kills: number
  readonly patienceMs: number
  /** Halfway. */
  turn(client: Client): Promise<unknown>
  log(line: string): void
}

export interface Storm {
  readonly gateways: readonly GatewayProcess[]
  /** Every run with the state in which it came to rest. */
  readonly rested: ReadonlyMap<string, RunView>
  readonly problems: readonly string[]
  readonly kills: number
  readonly stops: number
}

const atOnce = 6
/** Every so many runs, the first among them, one is slow and stopped halfway. */
const stoppedEvery = 8
/** Later runs find the money spent, and no call of theirs can be hit. */
const paidShare = 0.5
/** So many calls are under way when a gateway is killed. */
const aimedAt = 4
const longestAimMs = 5_000
const longestStartMs = 60_000
const longestRunMs = 60_000
/** Of all runs, so many are sent while a gateway is being started again; the others wait, or it would miss them all. */
const meanwhileShare = 0.05

export async function rage(first: readonly GatewayProcess[], options: StormOptions): Promise<Storm> {
  const { provider, random, runs: wanted } = options
  const gateways = [...first]
  /** Runs that a gateway took and that are under way. */
  const busy = first.map(() => new Set<string>())
  const runs: string[] = []
  const problems: string[] = []
  let sent = 0
  let stops = 0
  let isStarting = false
  let meanwhile = 0

  /** Whoever answers; a gateway that is being started again answers when it is back. */
  async function ask<Answer>(question: (client: Client, at: number) => Promise<Answer>): Promise<Answer> {
    for (let attempt = random.below(2); ; attempt += 1) {
      const at = attempt % gateways.length
      try {
        return await question((gateways[at] as GatewayProcess).client, at)
      } catch (error) {
        if (!isAway(error) || attempt > 40) throw error
        await sleep(50)
      }
    }
  }

  async function isRunning(run: string): Promise<boolean> {
    return (await ask((client) => client.run(run))).run.state === 'running'
  }

  async function send(number: number): Promise<void> {
    const slow = number % stoppedEvery === 1
    const text = messageOf(number, random, slow)
    const message = { key: `budget-run-${number}`, session: null, text, mode: 'queue' as const }
    const { run, at } = await ask(async (client, index) => ({ ...(await client.send(message)), at: index }))
    if (run === null) throw new Error(`Message ${number} of its own session started no run.`)
    runs.push(run)
    busy[at]?.add(run)
    if (slow) {
      await until(async () => provider.wasAsked(number) || !(await isRunning(run)), longestRunMs)
      await sleep(150 + random.below(600))
      await ask((client) => client.stopRun(run)).catch((error: unknown) => {
        if (!(error instanceof CountersignError)) throw error
      })
      stops += 1
    }
    await until(async () => !(await isRunning(run)), longestRunMs)
    busy[at]?.delete(run)
  }

  async function work(): Promise<void> {
    while (sent < wanted) {
      sent += 1
      const number = sent
      if (isStarting && (meanwhile += 1) > wanted * meanwhileShare)
        await until(() => Promise.resolve(!isStarting), longestStartMs)
      await send(number)
      if (number === Math.ceil(wanted / 2)) await ask((client) => options.turn(client))
    }
  }

  async function strike(number: number): Promise<void> {
    await until(
      () => Promise.resolve(runs.length >= (paidShare * wanted * number) / (options.kills + 1)),
      300_000,
    )
    provider.weather('slow')
    await until(() => Promise.resolve(provider.inFlight() >= aimedAt), longestAimMs)
    options.log(`kills one after ${runs.length} runs, with ${provider.inFlight()} calls under way`)
    isStarting = true
    meanwhile = 0
    const at = (busy[0]?.size ?? 0) > (busy[1]?.size ?? 0) ? 0 : 1
    await (gateways[at] as GatewayProcess).kill()
    provider.weather('stormy')
    gateways[at] = await options.installation.start()
    isStarting = false
  }

  const killing = (async () => {
    for (let number = 1; number <= options.kills; number += 1) await strike(number)
  })()
  await Promise.all([killing, ...Array.from({ length: atOnce }, work)])
  options.log(`${runs.length} runs, ${stops} stopped, ${provider.server.bill.length} calls billed`)

  provider.weather('calm')
  const rested = new Map<string, RunView>()
  const [{ client } = missing()] = gateways
  await until(async () => {
    for (const id of runs.filter((each) => !rested.has(each))) {
      const { run } = await client.run(id)
      if (run.state === 'stopped' || run.parkedOn === 'approval') rested.set(id, run)
    }
    return rested.size === runs.length
  }, options.patienceMs)
  for (const id of runs.filter((each) => !rested.has(each))) problems.push(`${id} never came to rest`)
  return { gateways, rested, problems, kills: options.kills, stops }
}

function isAway(error: unknown): boolean {
  return error instanceof CountersignError && error.code === 'gateway_unreachable'
}

function missing(): never {
  throw new Error('There is no gateway.')
}
