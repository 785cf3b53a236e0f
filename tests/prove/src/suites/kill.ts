/**
 * Proves what a crash may cost: kill -9 of the gateway at random moments, of its executor about every other time, of
 * PostgreSQL every third time, and sometimes of a gateway that is still starting, with eight runs in flight and
 * approvals decided before, during and after. `n` is the number of kills.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Installation, type LaunchedGateway, openInstallation } from '@countersign/harness'
import type { Witness } from '@countersign/verify'
import { createRandom, type Random } from '../../../../packages/executor/src/testing/random.ts'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'
import { audit, forgotten, type KillFindings, type KillMoment } from './kill/audit.ts'
import { createDriver, type Driver } from './kill/driver.ts'
import { scriptFor } from './kill/plan.ts'
import { type Recorder, startRecorder } from './kill/recorder.ts'

export const kill: Suite = {
  name: 'kill',
  defaultSize: 2_000,
  mutants: ['forgetful-replay', 'asynchronous-commit', 'effect-before-intent', 'silent-unknown'],
  run,
}

/** An installation is left for a new one after this many kills, so that a long run does not only test a long ledger. */
const killsPerInstallation = 200
const killsPerAudit = 20
const restMs = 60_000
/** A mutant may have lost what is waited for. */
const mutantRestMs = 12_000
const longestAimMs = 1_500
const newestInputs = 16

interface Tally {
  readonly problems: string[]
  readonly recoveryMs: number[]
  readonly outcomes: Record<string, number>
  kills: number
  databaseKills: number
  executorKills: number
  startKills: number
  acknowledged: number
  verdicts: number
  effects: number
}

async function run(options: SuiteOptions): Promise<SuiteResult> {
  const tally: Tally = {
    problems: [],
    recoveryMs: [],
    outcomes: {},
    kills: 0,
    databaseKills: 0,
    executorKills: 0,
    startKills: 0,
    acknowledged: 0,
    verdicts: 0,
    effects: 0,
  }
  const random = createRandom(options.seed)
  while (tally.kills < options.n && tally.problems.length === 0) {
    const size = Math.min(killsPerInstallation, options.n - tally.kills)
    await liveIn(options, { tally, random, size })
  }
  const { problems, recoveryMs, ...counts } = tally
  return {
    n: tally.kills,
    failures: problems.length,
    details: { ...counts, recoveryMs: quantiles(recoveryMs), examples: problems.slice(0, 10) },
  }
}

interface Chapter {
  readonly tally: Tally
  readonly random: Random
  readonly size: number
}

async function liveIn(options: SuiteOptions, chapter: Chapter): Promise<void> {
  const recorder = await startRecorder()
  const installation = await openInstallation({
    script: scriptFor(() => recorder.port),
    environment: { COUNTERSIGN_LOCAL_TARGETS: `127.0.0.1:${recorder.port}` },
    ...(options.mutant ? { nodeArguments: ['--import', mutantPath(options.mutant)] } : {}),
  })
  const { random, tally } = chapter
  const first = installation.launch()
  const driver = createDriver({
    installation,
    gateway: first.ready,
    recorder,
    random,
    prefix: `k${tally.kills}m`,
  })
  try {
    await first.ready
    const outcomes = await strikeAgainAndAgain(options, chapter, { installation, driver, recorder, first })
    tally.problems.push(...driver.problems)
    tally.acknowledged += driver.inputs.length
    tally.verdicts += driver.verdicts.size
    tally.effects += recorder.effects().length
    for (const [result, times] of Object.entries(outcomes))
      tally.outcomes[result] = (tally.outcomes[result] ?? 0) + times
  } finally {
    await driver.stop()
    await installation.close()
    await recorder.close()
  }
}

function mutantPath(mutant: string): string {
  if (!kill.mutants.includes(mutant)) throw new Error(`no mutant ${mutant}`)
  return fileURLToPath(new URL(`../mutants/${mutant}.ts`, import.meta.url))
}

interface KillScene {
  readonly installation: Installation
  readonly driver: Driver
  readonly recorder: Recorder
  readonly first: LaunchedGateway
}

/** Ends at the first audit that finds a problem. Resolves to the outcomes of all effects in the ledger. */
async function strikeAgainAndAgain(
  options: SuiteOptions,
  chapter: Chapter,
  place: KillScene,
): Promise<KillFindings['outcomes']> {
  const { tally, random, size } = chapter
  const { installation, driver, recorder } = place
  const strikes: KillMoment[] = []
  const witnesses: Witness[] = []
  const perAudit = options.mutant ? 1 : killsPerAudit
  let seen = 0
  let outcomes: KillFindings['outcomes'] = {}
  let gateway = place.first
  for (let number = 1; number <= size; number += 1) {
    const strike = await aim(number, gateway, {
      ...chapter,
      installation,
      isHardest: options.mutant !== undefined,
    })
    if (strike.isAtEffect) await recorder.next(longestAimMs)
    await sleep(strike.waitMs)
    driver.aboutToKill()
    await sleep(random.below(8))
    const from = Date.now()
    await hit(gateway, strike, random)
    strikes.push({ from, to: Date.now(), executor: strike.executor !== undefined })
    const killedAt = performance.now()
    tally.kills += 1
    gateway = installation.launch()
    driver.turnTo(gateway.ready)
    void gateway.ready.then(
      () => {
        tally.recoveryMs.push(performance.now() - killedAt)
        driver.restarted()
      },
      () => undefined,
    )
    const isDue = number % perAudit === 0 || number === size
    if (isDue) {
      const { client, log } = await gateway.ready
      const lost = await forgotten(client, driver.inputs.slice(-newestInputs))
      tally.problems.push(...lost.map((problem) => `kill ${tally.kills}: ${problem}`))
      if (lost.length > 0) return outcomes
      const rested = await driver.rest(options.mutant ? mutantRestMs : restMs)
      if (!rested) {
        tally.problems.push(`kill ${tally.kills}: never ended: ${driver.underWay().slice(0, 5).join(', ')}`)
        options.log(log())
      }
      const recorded = recorder.effects()
      const findings = await audit({ installation, client, driver, recorded, strikes, witnesses, seen })
      tally.problems.push(...findings.problems.map((problem) => `kill ${tally.kills}: ${problem}`))
      if (findings.head) witnesses.splice(0, 1, findings.head)
      seen = driver.inputs.length
      outcomes = findings.outcomes
      options.log(
        `${tally.kills} kills, ${driver.inputs.length} messages, ${recorded.length} effects, ${JSON.stringify(outcomes)}, recovery ${JSON.stringify(quantiles(tally.recoveryMs))}, ${tally.problems.length} problems`,
      )
      for (const problem of tally.problems.slice(0, 10)) options.log(problem)
      driver.goOn()
    }
    if (tally.problems.length > 0 || driver.problems.length > 0) return outcomes
  }
  return outcomes
}

interface Aim {
  readonly executor: number | undefined
  readonly database: number | undefined
  /** Waits for an effect that is under way, and then for `waitMs`. */
  readonly isAtEffect: boolean
  readonly waitMs: number
}

/**
 * Decides what to kill and when. One in seven gateways dies before it is ready; the others prove their ledger first.
 * Half of the kills come at any moment, the other half soon after an effect arrived, where most is at stake. The
 * hardest kill takes everything at such a moment; mutants get no other.
 */
async function aim(
  number: number,
  gateway: LaunchedGateway,
  { tally, random, installation, isHardest }: Chapter & { installation: Installation; isHardest: boolean },
): Promise<Aim> {
  const database = isHardest || number % 3 === 1 ? installation.databasePid() : undefined
  if (database !== undefined) tally.databaseKills += 1
  if (!isHardest && number > 1 && random.below(7) === 0) {
    tally.startKills += 1
    return { executor: undefined, database, isAtEffect: false, waitMs: random.below(1_200) }
  }
  const { client } = await gateway.ready
  const report = await client.verifyLedger()
  if (!report.ok) tally.problems.push(`kill ${tally.kills}: the ledger does not verify: ${report.problem}`)
  const { executor } = await client.status()
  const isTarget = isHardest || random.below(2) === 0
  const isAtEffect = isHardest || random.below(2) === 0
  if (isTarget) tally.executorKills += 1
  return {
    executor: isTarget ? (executor.pid ?? undefined) : undefined,
    database,
    isAtEffect,
    waitMs: isAtEffect ? random.below(120) : 50 + random.below(500),
  }
}

async function hit(gateway: LaunchedGateway, { executor, database }: Aim, random: Random): Promise<void> {
  for (const victim of random.shuffle([gateway.pid, executor, database])) {
    if (victim === undefined) continue
    signal(victim)
    await sleep(random.below(3))
  }
  await gateway.kill()
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function quantiles(values: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = values.toSorted((left, right) => left - right)
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
