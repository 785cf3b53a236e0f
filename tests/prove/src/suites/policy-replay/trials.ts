/** Records calls at the door, simulates another policy over them, and makes them again under it. */
import { randomUUIDv7 } from 'node:crypto'
import { type Decision, idFrom, type PolicyDocument, type Requester } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { compilePolicies, coversAt, type GrantCover, type PolicySet } from '@countersign/policy'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import { authorize } from '../../../../../packages/kernel/src/dispatch/authorize.ts'
import type { CallRow } from '../../../../../packages/kernel/src/dispatch/call-rows.ts'
import type { Caller } from '../../../../../packages/kernel/src/dispatch/dispatch-ports.ts'
import { type JudgedAgain, simulate } from '../../../../../packages/kernel/src/dispatch/simulate.ts'
import type { HeldRun } from '../../../../../packages/kernel/src/store/run-row.ts'
import { json } from '../../../../../packages/kernel/src/store/store.ts'
import {
  type DispatchBench,
  openDispatchBench,
} from '../../../../../packages/kernel/src/testing/dispatch-bench.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { anyCall, anyCircumstances, anyPolicy, catalogueUnder, floorOf, type MadeCall } from './world.ts'

const callsPerRun = 25
/** Each with policies of its own. */
const eras = 5
const day = 86_400_000
const mostCpuMs = 3_000

interface RecordedRun {
  readonly held: HeldRun
  readonly circumstances: ReturnType<typeof anyCircumstances>
  readonly agent: string
  readonly goal: string | null
}

interface Recorded {
  readonly run: RecordedRun
  readonly call: MadeCall
  readonly row: CallRow
}

export async function runTrials({ n, seed, log }: SuiteOptions): Promise<SuiteResult> {
  const random = createRandom(seed)
  const bench = await openDispatchBench()
  const total = { cpuMs: 0, allow: 0, ask: 0, deny: 0, granted: 0, changed: 0 }
  const wrong: string[] = []
  try {
    for (let era = 0; era < eras; era += 1) {
      bench.now = new Date(bench.now.getTime() + day)
      const calls = Math.floor((n * (era + 1)) / eras) - Math.floor((n * era) / eras)
      await replay({ bench, random, total, wrong, log }, calls)
    }
    if (n <= 10_000 && total.cpuMs > mostCpuMs)
      wrong.push(`the simulations took ${total.cpuMs} ms of processor time`)
    return { n, failures: wrong.length, details: { ...total, examples: wrong.slice(0, 5) } }
  } finally {
    await bench.close()
  }
}

interface Trials {
  readonly bench: DispatchBench
  readonly random: Random
  readonly total: Record<'cpuMs' | 'allow' | 'ask' | 'deny' | 'granted' | 'changed', number>
  readonly wrong: string[]
  readonly log: (line: string) => void
}

async function replay(trials: Trials, n: number): Promise<void> {
  const { bench, random, total, wrong, log } = trials
  const since = bench.now
  const made = new Map<string, MadeCall>()
  bench.resolve = (_tool, args) => {
    const call = made.get(args)
    return call && { kind: 'resolved', resolution: call.resolution }
  }
  const [before, after] = [anyPolicy(random), anyPolicy(random)]
  const [wasSet, isSet] = [compiled(before), compiled(after)]
  const recorded: Recorded[] = []
  while (recorded.length < n) {
    const run = await beginRun(bench, random)
    for (let left = Math.min(callsPerRun, n - recorded.length); left > 0; left -= 1) {
      const call = anyCall(random, recorded.length)
      made.set(call.args, call)
      recorded.push({ run, call, row: await decided(bench, run, call, before, wasSet) })
    }
  }
  log(`${n} calls recorded`)
  await giveGrants(bench, random, recorded)

  // The thread that judges: what a person waits for, however busy the machine is.
  const start = process.threadCpuUsage()
  const policies = {
    before: { set: wasSet, passkeyTools: before.passkeyTools },
    after: { set: isSet, passkeyTools: after.passkeyTools },
  }
  const judged = await simulate(bench.store, bench.operator, policies, { since, now: bench.now, floorOf })
  const { user, system } = process.threadCpuUsage(start)
  total.cpuMs += Math.round((user + system) / 1_000)
  if (judged.length !== n) wrong.push(`${judged.length} of ${n} calls were simulated`)

  const known = new Map(recorded.map((each): [string, Recorded] => [each.row.id, each]))
  // Grants are used up on the way, so the door is asked in the order of the simulation.
  for (const simulated of judged) {
    const one = known.get(simulated.call.id)
    if (one) await compare(trials, simulated, one, { document: after, set: isSet })
  }
  log(`${n} calls made again, ${wrong.length} differ`)
  for (const set of [wasSet, isSet]) set.dispose()
}

async function compare(
  { bench, total, wrong }: Trials,
  simulated: JudgedAgain,
  { run, call }: Recorded,
  after: { readonly document: PolicyDocument; readonly set: PolicySet },
): Promise<void> {
  const { decision } = await decided(bench, run, call, after.document, after.set)
  if (decision) {
    total[decision.kind] += 1
    if (decision.grant !== undefined) total.granted += 1
    if (decision.kind !== simulated.before.kind) total.changed += 1
  }
  const [said, did] = [told(simulated.after), told(decision)]
  if (said !== did) wrong.push(`simulated ${said}, decided ${did}: ${JSON.stringify(call)}`)
}

async function beginRun(bench: DispatchBench, random: Random): Promise<RecordedRun> {
  const circumstances = anyCircumstances(random)
  const agent = random.pick(['assistant', 'helper'])
  const goal = random.pick([null, 'goal-1'])
  const { label, unattended } = circumstances
  const held = await bench.run({ label, unattended, agent, goal })
  return { held, circumstances, agent, goal }
}

/** One call at the door: proposed, authorized, and looked at. */
async function decided(
  bench: DispatchBench,
  { held, circumstances, agent, goal }: RecordedRun,
  { tool, args }: MadeCall,
  document: PolicyDocument,
  set: PolicySet,
): Promise<CallRow> {
  const row = await bench.call(held, { tool, args, model_tool: tool, raw_args: args })
  const { label, requester, unattended } = circumstances
  const caller: Caller = bench.caller(held, {
    label,
    requester: requester as Requester,
    catalogue: catalogueUnder(document.passkeyTools),
    work: { agent, goal, schedule: null, unattended },
  })
  await authorize(caller, [row], false, { ...bench.ports, policies: { current: () => set } })
  return bench.look(row.id)
}

/** For calls that were made: some for a few uses, some for one session, run, agent or goal. */
async function giveGrants(
  bench: DispatchBench,
  random: Random,
  recorded: readonly Recorded[],
): Promise<void> {
  const at = bench.now
  for (const { run, call, row } of recorded) {
    if (random.below(4) !== 0) continue
    const { tool, args, resolution } = call
    const { resources, effects } = resolution
    const subject = { tool, argsHash: sha256Hex(args), resources, effects }
    const covers = coversAt(random.pick(['call', 'target', 'place', 'tool'] as const), subject)
    if (!covers) continue
    const where = random.pick(['session', 'run', 'agent', 'goal', 'everywhere'])
    await insertGrant(bench, tool, covers, {
      created_at: at,
      expires_at: new Date(at.getTime() + day / 2),
      session_id: where === 'session' ? row.session_id : null,
      run_id: where === 'run' ? row.run_id : null,
      agent: where === 'agent' ? run.agent : null,
      goal: where === 'goal' ? run.goal : null,
      max_uses: random.pick([null, 1, 2, 5]),
    })
  }
}

function insertGrant(
  bench: DispatchBench,
  tool: string,
  covers: readonly GrantCover[],
  terms: {
    readonly created_at: Date
    readonly expires_at: Date
    readonly session_id: CallRow['session_id'] | null
    readonly run_id: CallRow['run_id'] | null
    readonly agent: string | null
    readonly goal: string | null
    readonly max_uses: number | null
  },
): Promise<unknown> {
  return bench.within(({ db }) =>
    db
      .insertInto('grants')
      .values({
        operator_id: bench.operator,
        id: idFrom('gr', randomUUIDv7()),
        tool,
        covers: json(covers),
        sentence: tool,
        approval_id: null,
        revoked_at: null,
        ...terms,
      })
      .execute(),
  )
}

function told(decision: Decision | null): string {
  if (!decision) return 'nothing'
  const { kind, tier, rules, grant, reason } = decision
  return JSON.stringify({
    kind,
    tier,
    rules: rules.map(({ id }) => id).toSorted(),
    grant: grant ?? null,
    reason,
  })
}

function compiled(document: PolicyDocument): PolicySet {
  const result = compilePolicies(document)
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.problems))
  return result.set
}
