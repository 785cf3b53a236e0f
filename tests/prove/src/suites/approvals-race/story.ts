/**
 * Judges the story of every request by witnesses that do not know each other: what the devices were told, the exported
 * ledger, and what came in where the requests lead.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@countersign/contract/client'
import { verifyLedger } from '@countersign/verify'
import { type ApprovalAct, type ApprovalAttempt, extendedHours } from './surfaces.ts'

export interface RaceRecord {
  readonly attempts: readonly ApprovalAttempt[]
  readonly tokens: readonly string[]
}

interface RaceEntry {
  readonly seq: number
  readonly at: string
  readonly type: string
  readonly actor: { readonly kind: string; readonly id: string }
  readonly approval?: string
  readonly data: Readonly<Record<string, unknown>>
}

interface Request {
  readonly id: string
  readonly entries: readonly RaceEntry[]
  readonly attempts: readonly ApprovalAttempt[]
}

const verdictOf: Readonly<Record<Exclude<ApprovalAct, 'extend'>, string>> = {
  approve: 'approved',
  deny: 'denied',
  edit: 'superseded',
}
/** Told times and written ones are of one clock, read twice. */
const sameMomentMs = 1_000

export async function problemsIn(
  client: Client,
  marksOf: (token: string) => readonly string[],
  { attempts, tokens }: RaceRecord,
): Promise<{ problems: string[]; figures: Record<string, unknown> }> {
  const { lines, report } = await checkedExport(client)
  const entries = lines.map((line) => JSON.parse(line) as RaceEntry).filter((entry) => 'type' in entry)
  const byApproval = Map.groupBy(entries, ({ approval, data }) => approval ?? wordOf(data['approval']))
  const requests = entries
    .filter(({ type }) => type === 'approval.requested')
    .map(
      ({ approval = '' }): Request => ({
        id: approval,
        entries: byApproval.get(approval) ?? [],
        attempts: attempts.filter((attempt) => attempt.approval === approval),
      }),
    )
  const verdicts: Record<string, number> = {}
  for (const request of requests) {
    const verdict = wordOf(decidedIn(request)[0]?.data['verdict'])
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
  }
  const told: Record<string, number> = {}
  for (const attempt of attempts) {
    const word = attempt.told === 'done' ? 'done' : attempt.told.code
    told[word] = (told[word] ?? 0) + 1
  }
  const marks = tokens.map(marksOf)
  return {
    problems: [
      ...report.failures.map((failure) => `ledger: ${failure.what}`),
      ...requests.flatMap((request) => [
        ...verdictProblems(request),
        ...toldProblems(request),
        ...timeProblems(request),
      ]),
      ...tokens.flatMap((token, at) => effectProblems(token, marks[at] ?? [], entries)),
    ],
    figures: { requests: requests.length, verdicts, told, effects: marks.flat().length },
  }
}

/** A gateway that has just begun seals its last entries a moment later. */
async function checkedExport(client: Client) {
  for (let left = 20; ; left -= 1) {
    const stream = await client.exportLedger()
    const lines = (await new Response(stream).text()).split('\n').filter((line) => line !== '')
    const report = await verifyLedger(lines, { strict: true })
    if (report.failures.length === 0 || left === 0) return { lines, report }
    await sleep(250)
  }
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function decidedIn({ entries }: Request): RaceEntry[] {
  return entries.filter(({ type }) => type === 'approval.decided')
}

/** One verdict, which is that of the one device that was told so. */
function verdictProblems(request: Request): string[] {
  const { id, entries, attempts } = request
  const [first, ...later] = decidedIn(request)
  if (!first) return [`${id}: nobody decided it`]
  const problems: string[] = []
  // What was approved and could not be used any more is taken back, and only that.
  const isTakenBack =
    later.length === 1 &&
    first.data['verdict'] === 'approved' &&
    later[0]?.data['verdict'] === 'superseded' &&
    !entries.some(({ type }) => type === 'effect.intended')
  if (later.length > 0 && !isTakenBack) problems.push(`${id}: decided ${later.length + 1} times`)
  const winners = attempts.filter((attempt) => attempt.act !== 'extend' && attempt.told === 'done')
  if (winners.length > 1) problems.push(`${id}: ${winners.length} devices were told that they decided it`)
  const { verdict } = first.data
  const fits = (attempt: ApprovalAttempt) =>
    attempt.act !== 'extend' && verdictOf[attempt.act] === verdict && attempt.device === first.actor.id
  for (const winner of winners)
    if (!fits(winner))
      problems.push(`${id}: ${winner.act} by ${winner.device} was told done, and it is ${String(verdict)}`)
  // The answer of a gateway that was killed is lost; the verdict is not.
  const unheard = attempts.filter(
    (attempt) => attempt.told !== 'done' && attempt.told.code === 'gateway_unreachable',
  )
  if (winners.length === 0 && verdict !== 'expired' && !unheard.some(fits))
    problems.push(`${id}: is ${String(verdict)} and nobody was told so`)
  return problems
}

/** Whoever came too late is told what became of it, whose verdict it was and when. */
function toldProblems(request: Request): string[] {
  const [first] = decidedIn(request)
  if (!first) return []
  const verdict = String(first.data['verdict'])
  return request.attempts.flatMap(({ told, act, device }) => {
    if (told === 'done' || told.code === 'gateway_unreachable') return []
    const where = `${request.id}: ${act} by ${device} was told ${told.code}: ${told.message}`
    const at = Date.parse(/\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(told.message)?.[0] ?? '')
    const isExpired = told.code === 'expired'
    // Past its end it is over, whether or not the gateway has written so yet.
    if (isExpired && !Number.isNaN(at)) return []
    if (told.code !== 'conflict' || verdict === 'expired') return [where]
    const names = told.message.includes(verdict) && told.message.includes(first.actor.id)
    return names && Math.abs(at - Date.parse(first.at)) < sameMomentMs ? [] : [where]
  })
}

/** Nobody decides after the end, and nothing ends before it, extensions counted. */
function timeProblems(request: Request): string[] {
  const [decided] = decidedIn(request)
  if (!decided) return []
  const before = request.entries.filter(({ seq }) => seq < decided.seq)
  const end = before.map(({ data }) => data['expires']).findLast((at) => typeof at === 'string') as string
  const isExpired = decided.data['verdict'] === 'expired'
  const late = Date.parse(decided.at) - Date.parse(end)
  const problems = request.entries
    .filter(({ type }) => type === 'approval.extended')
    .flatMap(({ seq, at, data }) => {
      if (seq > decided.seq) return [`${request.id}: extended after it was decided`]
      const span = Date.parse(String(data['expires'])) - Date.parse(at)
      const isAsked = Math.abs(span - extendedHours * 3_600_000) < sameMomentMs
      return isAsked ? [] : [`${request.id}: extended by ${span} ms`]
    })
  if (isExpired && late < 0) problems.push(`${request.id}: expired ${-late} ms before its end`)
  if (!isExpired && late > 0) problems.push(`${request.id}: decided ${late} ms after its end`)
  return problems
}

/** What happened was approved, and happened once. */
function effectProblems(token: string, marks: readonly string[], entries: readonly RaceEntry[]): string[] {
  const problems: string[] = []
  if (marks.length > 1) problems.push(`${token}: happened ${marks.length} times`)
  const intents = entries.filter(
    ({ type, data }) => type === 'effect.intended' && String(data['args']).includes(`/${token}.mark"`),
  )
  if (intents.length > 1) problems.push(`${token}: intended ${intents.length} times`)
  const approved = new Map(
    entries
      .filter(({ type, data }) => type === 'approval.decided' && data['verdict'] === 'approved')
      .map(({ approval, seq }) => [approval, seq]),
  )
  for (const { data, seq } of intents) {
    const given = approved.get(String(data['approval']))
    if (given === undefined || given > seq) problems.push(`${token}: intended without an approval before`)
    const outcomes = entries.filter(
      (entry) => entry.type === 'effect.outcome' && entry.data['nonce'] === data['nonce'],
    )
    const result = String(outcomes[0]?.data['result'])
    if (outcomes.length !== 1) problems.push(`${token}: ${outcomes.length} outcomes of one intent`)
    if (marks.length === 1 && result !== 'ok' && result !== 'unknown')
      problems.push(`${token}: happened, and the ledger says ${result}`)
    if (marks.length === 0 && result === 'ok')
      problems.push(`${token}: the ledger says ok, and it did not happen`)
    const args = String(data['args'])
    if (marks.length === 1 && !args.includes(`"body":"${marks[0]}"`))
      problems.push(`${token}: something else happened`)
  }
  if (marks.length > 0 && intents.length === 0) problems.push(`${token}: happened and nobody meant it`)
  return problems
}
