/** Owns what standing authority comes to: how a rule would have met the calls that were made, and what was approved again and again. */
import {
  ApprovalSubject,
  type Coverage,
  type GrantStop,
  type GrantSuggestion,
  type OperatorId,
  type PastCall,
  type RuleRequest,
  type StopCoverage,
} from '@countersign/contract'
import type { Reader } from '@countersign/kernel'
import {
  coversAt,
  grantableTier,
  grantSentence,
  isCovered,
  type Stop,
  suggestGrants,
} from '@countersign/policy'

export interface CoverageTarget {
  readonly subject: ApprovalSubject
  /** What the request offers for a rule. */
  readonly stops: readonly Stop[]
  readonly goal: string | null
  readonly where: RuleRequest['where']
}

const readOnlyCalls = 200
const shown = 10
const days = 30

export function createGrantViews(read: Reader, clock: () => Date) {
  /** How each stop of a rule would have met the last calls. */
  async function coverage(
    operator: OperatorId,
    { subject, stops, goal, where }: CoverageTarget,
  ): Promise<Coverage> {
    const past = await read(operator, (db) =>
      db
        .selectFrom('calls')
        .innerJoin('runs', 'runs.id', 'calls.run_id')
        .select([
          'calls.headline',
          'calls.tier',
          'calls.permit',
          'calls.run_id',
          'calls.intended_at',
          'runs.goal',
        ])
        .where('calls.permit', 'is not', null)
        .orderBy('calls.id', 'desc')
        .limit(readOnlyCalls)
        .execute(),
    )
    const calls = past.flatMap((row) =>
      row.permit && row.intended_at
        ? [
            {
              subject: row.permit.subject,
              goal: row.goal,
              told: {
                headline: row.headline,
                tier: row.permit.subject.tier,
                at: row.intended_at.toISOString(),
                run: row.run_id as string,
              } satisfies PastCall,
            },
          ]
        : [],
    )
    const here = calls.filter(
      (call) =>
        call.subject.tool.name === subject.tool.name &&
        (where === 'everywhere' ||
          (where === 'agent'
            ? call.subject.agent === subject.agent
            : call.goal !== null && call.goal === goal)),
    )
    const reachable = here.filter((call) => call.told.tier <= grantableTier)
    const found = stops.flatMap((stop): StopCoverage[] => {
      const covers = coversAt(stop, coveredOf(subject))
      if (!covers) return []
      const [inside, outside] = parted(reachable, (call) => isCovered(covers, coveredOf(call.subject)))
      return [
        {
          stop,
          sentence: grantSentence(subject.tool.name, covers, { where, uses: null, minutes: days * 24 * 60 }),
          broad: stop === 'tool',
          covered: inside.length,
          examples: inside.slice(0, shown).map((call) => call.told),
          nearest: outside[0]?.told ?? null,
          above: here.length - reachable.length,
        },
      ]
    })
    const repeated = found.find(({ stop, covered }) => covered > 0 && stop !== 'tool')?.stop
    const suggested: GrantStop = repeated ?? found[0]?.stop ?? 'call'
    return { of: calls.length, stops: found, suggested }
  }

  async function suggestions(operator: OperatorId): Promise<GrantSuggestion[]> {
    const since = new Date(clock().getTime() - days * 86_400_000)
    const rows = await read(operator, (db) =>
      db
        .selectFrom('approvals')
        .select(['subject', 'offers'])
        .where('state', '=', 'approved')
        .where('tier', '<=', grantableTier)
        .where('decided_at', '>', since)
        .orderBy('id', 'desc')
        .limit(1_000)
        .execute(),
    )
    const approved = rows.map((row) => {
      const subject = ApprovalSubject.parse(JSON.parse(row.subject))
      return { ...coveredOf(subject), agent: subject.agent, stops: row.offers.stops }
    })
    return suggestGrants(approved).map(({ tool, agent, stop, covers, answers }) => ({
      sentence: grantSentence(tool, covers, { where: 'agent', uses: null, minutes: days * 24 * 60 }),
      tool,
      agent,
      stop,
      answers,
    }))
  }

  /** How requests of the same tool by the same rules were decided lately. */
  async function similar(operator: OperatorId, subject: ApprovalSubject) {
    const since = new Date(clock().getTime() - days * 86_400_000)
    const rows = await read(operator, (db) =>
      db
        .selectFrom('approvals')
        .select(['state', 'decided_at', 'subject'])
        .where('state', 'in', ['approved', 'denied'])
        .where('decided_at', '>', since)
        .orderBy('id', 'desc')
        .limit(1_000)
        .execute(),
    )
    const rules = subject.rules.join()
    const kin = rows.filter((row) => {
      const other = ApprovalSubject.parse(JSON.parse(row.subject))
      return other.tool.name === subject.tool.name && other.rules.join() === rules
    })
    const count = (state: string) => kin.filter((row) => row.state === state).length
    return {
      approved: count('approved'),
      denied: count('denied'),
      lastAt: kin[0]?.decided_at?.toISOString() ?? null,
    }
  }

  return { coverage, suggestions, similar }
}

function coveredOf({ tool, argsHash, resources }: ApprovalSubject) {
  return { tool: tool.name, argsHash, resources }
}

function parted<T>(values: readonly T[], test: (value: T) => boolean): [T[], T[]] {
  return [values.filter(test), values.filter((value) => !test(value))]
}
