/** Owns what standing authority comes to: how a rule would have met the calls that were made, and what was approved again and again. */
import { createHash } from 'node:crypto'
import {
  ApprovalSubject,
  type Coverage,
  type Effect,
  type GrantSuggestion,
  type OperatorId,
  type PastCall,
  type RuleRequest,
  type StopCoverage,
} from '@countersign/contract'
import { type Reader, viewOfGrant } from '@countersign/kernel'
import {
  coversAt,
  factsOf,
  type GrantOffer,
  grantSentence,
  isCovered,
  isGrantable,
  keyOf,
  mayBeGranted,
  type Stop,
  type Suggestion,
  suggestedDays,
  suggestGrants,
} from '@countersign/policy'

export interface CoverageTarget {
  readonly subject: ApprovalSubject
  readonly effects: readonly Effect[]
  /** What the request offers for a rule. */
  readonly offers: Pick<GrantOffer, 'stops' | 'untrusted'>
  readonly goal: string | null
  readonly where: RuleRequest['where']
}

const readOnlyCalls = 200
const shown = 10
const days = 30
/** How long a rule that is suggested stands. */
export const suggestedTermDays = days
const dayMs = 86_400_000

export function createGrantViews(read: Reader, clock: () => Date) {
  /** How each stop of a rule would have met the last calls. */
  async function coverage(
    operator: OperatorId,
    { subject, effects, offers, goal, where }: CoverageTarget,
  ): Promise<Coverage> {
    const past = await read(operator, (db) =>
      db
        .selectFrom('calls')
        .innerJoin('runs', 'runs.id', 'calls.run_id')
        .select([
          'calls.headline',
          'calls.tier',
          'calls.permit',
          'calls.judged',
          'calls.approval_id',
          'calls.run_id',
          'calls.intended_at',
          'runs.goal',
        ])
        .where('calls.permit', 'is not', null)
        .where('calls.judged', 'is not', null)
        .orderBy('calls.id', 'desc')
        .limit(readOnlyCalls)
        .execute(),
    )
    const calls = past.flatMap((row) =>
      row.permit && row.judged && row.intended_at
        ? [
            {
              subject: row.permit.subject,
              facts: factsOf(row.judged),
              wasAsked: row.approval_id !== null,
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
    const coverageAt = (stop: Stop, untrusted: boolean): StopCoverage[] => {
      const covers = coversAt(stop, coveredOf(subject, effects))
      if (!covers) return []
      const reachable = here.filter(({ facts }) => (untrusted ? mayBeGranted(facts) : isGrantable(facts)))
      const [inside, outside] = parted(reachable, (call) =>
        isCovered(covers, coveredOf(call.subject, call.facts.effects)),
      )
      const asked = inside.filter(({ wasAsked }) => wasAsked)
      const terms = { where, uses: null, minutes: days * 24 * 60, untrusted }
      return [
        {
          stop,
          untrusted,
          sentence: grantSentence(subject.tool.name, covers, terms),
          broad: stop === 'tool',
          covered: inside.length,
          asked: asked.length,
          examples: (asked.length > 0 ? asked : inside).slice(0, shown).map((call) => call.told),
          nearest: outside[0]?.told ?? null,
          above: here.length - reachable.length,
        },
      ]
    }
    const found = [
      ...offers.stops.flatMap((stop) => coverageAt(stop, false)),
      ...offers.untrusted.stops.flatMap((stop) => coverageAt(stop, true)),
    ]
    // What strangers can use is never the first choice where something less answers.
    const own = found.filter((each) => !each.untrusted)
    const choice = own.length > 0 ? own : found
    const { stop = 'call', untrusted = false } =
      choice.find((each) => each.covered > 0 && each.stop !== 'tool') ?? choice[0] ?? {}
    return { of: calls.length, stops: found, suggested: { stop, untrusted } }
  }

  async function suggestions(operator: OperatorId): Promise<GrantSuggestion[]> {
    const since = new Date(clock().getTime() - suggestedDays * dayMs)
    const { rows, standing } = await read(operator, async (db) => ({
      rows: await db
        .selectFrom('approvals')
        .innerJoin('calls', 'calls.id', 'approvals.call_id')
        .select(['approvals.id', 'approvals.subject', 'approvals.offers', 'approvals.card'])
        .select(['approvals.run_id', 'approvals.decided_at', 'calls.judged'])
        .where('approvals.state', '=', 'approved')
        .where('approvals.decided_at', '>', since)
        .orderBy('approvals.id', 'desc')
        .limit(1_000)
        .execute(),
      standing: await db.selectFrom('grants').selectAll().where('revoked_at', 'is', null).execute(),
    }))
    const approved = rows.map((row) => {
      const { offers, card, judged, decided_at: at } = row
      const subject = ApprovalSubject.parse(JSON.parse(row.subject))
      return {
        ...coveredOf(subject, card.effects),
        agent: subject.agent,
        stops: offers.stops,
        untrustedStops: offers.untrusted.stops,
        act: judged?.act ?? null,
        approval: row.id,
        told: { headline: card.headline, tier: subject.tier, at: at?.toISOString() ?? '', run: row.run_id },
      }
    })
    return suggestGrants(approved).flatMap((suggestion): GrantSuggestion[] => {
      const { tool, agent, stop, untrusted, covers, answers } = suggestion
      const kin = approved.filter(
        (call) => call.tool === tool && call.agent === agent && isCovered(covers, call),
      )
      const isGround = (call: (typeof kin)[number]) =>
        (untrusted ? call.untrustedStops : call.stops).includes(stop) &&
        keyOf({ ...suggestion, covers: coversAt(stop, call) ?? [] }) === keyOf(suggestion)
      const from = kin.find(isGround)
      const isGiven = standing.some(
        (grant) => viewOfGrant(grant, clock()).state === 'active' && says(grant, suggestion),
      )
      if (!from || isGiven) return []
      const terms = { where: 'agent' as const, uses: null, minutes: days * 24 * 60, untrusted }
      const id = createHash('sha256').update(keyOf(suggestion)).digest('hex').slice(0, 16)
      const sentence = grantSentence(tool, covers, terms)
      const examples = kin.slice(0, shown).map(({ told }) => told)
      return [
        {
          id,
          sentence,
          tool,
          agent,
          stop,
          untrusted,
          answers,
          of: approved.length,
          examples,
          approval: from.approval,
        },
      ]
    })
  }

  /** How requests of the same tool by the same rules were decided lately. */
  async function similar(operator: OperatorId, subject: ApprovalSubject) {
    const since = new Date(clock().getTime() - days * dayMs)
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

function coveredOf({ tool, argsHash, resources }: ApprovalSubject, effects: readonly Effect[]) {
  return { tool: tool.name, argsHash, resources, effects }
}

/** Whether a grant that stands says what is suggested. */
function says(
  {
    tool,
    agent,
    untrusted,
    covers,
  }: Pick<Suggestion, 'tool' | 'untrusted' | 'covers'> & { readonly agent: string | null },
  suggestion: Suggestion,
): boolean {
  const isWide = agent === null || agent === suggestion.agent
  return isWide && keyOf({ tool, agent: suggestion.agent, untrusted, covers }) === keyOf(suggestion)
}

function parted<T>(values: readonly T[], test: (value: T) => boolean): [T[], T[]] {
  return [values.filter(test), values.filter((value) => !test(value))]
}
