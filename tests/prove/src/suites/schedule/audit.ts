/** Compares what was written in a year with what must have been: every instant once, every run once, every end once. */
import { type Job, zones } from './jobs.ts'
import { createOracle } from './oracle.ts'
import { type LivedYear, type Row, scheduleId } from './year.ts'

export interface ScheduleFindings {
  readonly instants: number
  readonly runs: number
  readonly problems: readonly string[]
}

const grace = 60_000
const ran = ['due', 'succeeded', 'failed', 'stopped']

export function audit(jobs: readonly Job[], lived: LivedYear, start: number, end: number): ScheduleFindings {
  const oracle = createOracle(zones, start, lived.reached)
  const problems = [...lived.problems]
  const bySchedule = Map.groupBy(lived.rows, ({ schedule }) => schedule)
  let instants = 0
  for (const [place, job] of jobs.entries()) {
    const id = scheduleId(place)
    const rows = bySchedule.get(id) ?? []
    const expected = oracle(job.plan, start, lived.reached)
    const must = expected.filter((at) => at <= end)
    instants += must.length
    const name = `${id.slice(-4)} ${JSON.stringify(job.trigger)}`
    const found = new Set(rows.map(({ dueAt }) => dueAt))
    if (found.size !== rows.length)
      problems.push(`${name}: ${rows.length - found.size} instants have two rows`)
    for (const at of must) if (!found.has(at)) problems.push(`${name}: ${iso(at)} is not written down`)
    const known = new Set(expected)
    for (const { dueAt } of rows)
      if (!known.has(dueAt)) problems.push(`${name}: ${iso(dueAt)} is no time of it`)
    problems.push(...policyProblems(job, rows, name))
  }
  problems.push(...runProblems(lived))
  return { instants, runs: lived.admitted.length, problems }
}

/** Each that runs has one message, each message one row that runs, and each run one end. */
function runProblems({ rows, admitted, ends }: LivedYear): string[] {
  const problems: string[] = []
  const byId = new Map(rows.map((row) => [row.id, row]))
  const messages = new Map<string, number>()
  for (const key of admitted) {
    const id = key.replace(/^occ\//, '')
    messages.set(id, (messages.get(id) ?? 0) + 1)
    const row = byId.get(id)
    if (!row) problems.push(`${key} was begun for nothing that is written down`)
    else if (!ran.includes(row.state)) problems.push(`${key} was begun and is ${row.state}`)
  }
  const ended = new Map<string, number>()
  for (const { occurrence } of ends) ended.set(occurrence, (ended.get(occurrence) ?? 0) + 1)
  for (const { id, state } of rows) {
    const isRun = ran.includes(state)
    if ((messages.get(id) ?? 0) !== (isRun ? 1 : 0))
      problems.push(`${id} is ${state} and was begun ${messages.get(id) ?? 0} times`)
    if ((ended.get(id) ?? 0) !== (isRun ? 1 : 0))
      problems.push(`${id} is ${state} and ended ${ended.get(id) ?? 0} times`)
    if (state === 'due') problems.push(`${id} never ended`)
  }
  return problems
}

/** What was late runs only as often as the policy says, and nothing runs beside another that must not. */
function policyProblems({ missed, most, overlap }: Job, rows: readonly Row[], name: string): string[] {
  const problems: string[] = []
  const runs = rows.filter(({ state }) => ran.includes(state))
  const allowed = { skip: 0, once: 1, all: most }[missed]
  for (const [at, together] of Map.groupBy(runs, ({ createdAt }) => createdAt)) {
    const late = together.filter(({ dueAt }) => dueAt < at - grace).length
    if (late > allowed)
      problems.push(`${name}: ${late} late ones were begun together at ${iso(at)}, ${allowed} may be`)
  }
  for (const row of rows)
    if (row.state === 'skipped' && overlap !== 'skip') problems.push(`${name}: ${iso(row.dueAt)} was skipped`)
  return problems
}

const iso = (at: number) => new Date(at).toISOString()
