/** `countersign grant`: what may run without asking, what nobody uses, what would save questions, and the end of it. */
import {
  CountersignError,
  type GrantSuggestion,
  type GrantView,
  type PruneReply,
} from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { type CommandFailure, done, failed } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { failureOf, usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { ago, clockTime } from '../output/time.ts'
import { shortId } from '../short-id.ts'

const day = 86_400_000
const mostDays = 3_650

export const list: Handler = async (context, _args, options) => {
  const days = options.unused === undefined ? undefined : daysIn(options.unused)
  if (days === null) return usage(`--unused is a number of days such as 30d.`, 'grant list')
  const since = days === undefined ? undefined : context.host.clock().getTime() - days * day
  const all = await (await context.gateway()).client.grants()
  const grants = all.filter(
    (grant) =>
      (options.all === true || grant.state === 'active') && (since === undefined || isUnused(grant, since)),
  )
  if (grants.length === 0)
    return done(
      { grants },
      days === undefined
        ? 'You haven’t allowed anything in advance.'
        : `Every grant was used in the last ${days} days.`,
    )
  return done({ grants }, () => grantTable(grants, context))
}

export const show: Handler = async (context, [id = '']) => {
  const grants = await (await context.gateway()).client.grants()
  const grant = grants.find((each) => each.id === id)
  if (grant === undefined)
    throw new CountersignError('not_found', `There is no grant ${line(id)}.`, {
      next: 'See them with `countersign grant list --all`.',
    })
  return done({ grant }, () => grantText(grant, context))
}

/** Exactly these. One that cannot be revoked does not keep the others from it. */
export const revoke: Handler = async (context, ids) => {
  const { client } = await context.gateway()
  const revoked: { grant: string; ledger: number }[] = []
  const problems: { grant: string; failure: CommandFailure }[] = []
  for (const grant of new Set(ids)) {
    try {
      revoked.push({ grant, ledger: (await client.revokeGrant(grant)).ledger })
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      problems.push({ grant, failure: await failureOf(error) })
    }
  }
  const told = revoked.map(({ grant, ledger }) => `Revoked ${line(grant)}.${ledgerMark(ledger)}`)
  const [first] = problems
  if (first === undefined) return done({ revoked }, told.join('\n'))
  const left = problems.map(({ grant, failure }) => `${line(grant)} was not revoked: ${failure.message}`)
  return failed({
    ...first.failure,
    message: [...told, ...left].join('\n'),
    details: { revoked, problems },
  })
}

export const prune: Handler = async (context, _args, options) => {
  const days = options.unused === undefined ? null : daysIn(options.unused)
  if (days === null) return usage('Say how long they were unused, for example --unused 30d.', 'grant prune')
  const dryRun = options.dryRun === true
  const pruned = await (await context.gateway()).client.pruneGrants(days, dryRun)
  return done({ ...pruned, dryRun }, () => prunedText(pruned, { days, dryRun }, context))
}

export const suggest: Handler = async (context) => {
  const suggestions = await (await context.gateway()).client.suggestedGrants()
  if (suggestions.length === 0)
    return done({ suggestions }, 'You approved nothing often enough to suggest a grant.')
  return done({ suggestions }, () =>
    [...suggestions.map(suggestionText), 'Create one with `countersign grant take <id>`.'].join('\n\n'),
  )
}

/** Creates what is suggested, as it says. */
export const take: Handler = async (context, [id = '']) => {
  const taken = await (await context.gateway()).client.takeSuggestion(id)
  return done(taken, `Created ${shortId(taken.grant)}: ${line(taken.sentence)}.${ledgerMark(taken.ledger)}`)
}

function suggestionText({ id, answers, of, agent, sentence, examples }: GrantSuggestion): string {
  return [
    `${id}  ${line(sentence)}`,
    `  for the agent ${line(agent)}; it would have answered ${answers} of the ${of} questions that you approved in the last 7 days:`,
    ...examples.map(({ headline }) => `  - ${line(headline)}`),
  ].join('\n')
}

export function grantTable(grants: readonly GrantView[], context: Pick<Context, 'moment'>): string {
  const rows = grants.map((grant) => [
    shortId(grant.id),
    grant.state,
    usesText(grant),
    lastText(grant, context),
    endText(grant, context),
    line(grant.sentence),
  ])
  return columns([['Grant', 'State', 'Used', 'Last', 'Ends', 'Allows'], ...rows])
}

function grantText(grant: GrantView, context: Context): string {
  const facts = [
    ['Grant', grant.id],
    ['Allows', line(grant.sentence)],
    ['Tool', line(grant.tool)],
    ['State', grant.state],
    ['Holds for', whereText(grant)],
    ['Used', usesText(grant)],
    ['Last used', lastText(grant, context)],
    ['Given', clockTime(grant.createdAt, context.moment())],
    ['Ends', endText(grant, context)],
    ['If unused', `ends ${clockTime(grant.unusedEndsAt, context.moment())}`],
    ['Made from', grant.approval ?? 'a plan, ahead'],
  ]
  const next =
    grant.state === 'active' ? `\n\nRevoke it with \`countersign grant revoke ${shortId(grant.id)}\`.` : ''
  return `${columns(facts)}${next}`
}

function prunedText(
  { grants, ledger }: PruneReply,
  { days, dryRun }: { days: number; dryRun: boolean },
  context: Context,
): string {
  if (grants.length === 0) return `No grant was unused for ${days} days.`
  const counted = `${grants.length} ${grants.length === 1 ? 'grant' : 'grants'}`
  const words = dryRun ? `Would revoke ${counted}:` : `Revoked ${counted}.${ledgerMark(ledger ?? 0)}`
  return `${words}\n${grantTable(grants, context)}`
}

function whereText({ run, session, goal, agent }: GrantView): string {
  if (run !== null) return `the run ${run}`
  if (session !== null) return `the session ${session}`
  if (goal !== null) return `the goal ${line(goal)}`
  return agent === null ? 'everything' : `the agent ${line(agent)}`
}

const usesText = ({ uses, maxUses }: GrantView) =>
  maxUses === null ? `${uses}, no limit` : `${uses} of ${maxUses}`

const lastText = ({ lastUsedAt }: GrantView, context: Pick<Context, 'moment'>) =>
  lastUsedAt === null ? 'never' : ago(lastUsedAt, context.moment())

const endText = ({ expiresAt }: GrantView, context: Pick<Context, 'moment'>) =>
  clockTime(expiresAt, context.moment())

/** One that was never used counts from when it was given. */
function isUnused({ lastUsedAt, createdAt, state }: GrantView, since: number): boolean {
  return state === 'active' && Date.parse(lastUsedAt ?? createdAt) <= since
}

/** Days as people write them; longer than a timer could wait. Null where it is none. */
function daysIn(given: string | boolean): number | null {
  const days = typeof given === 'string' ? /^(\d{1,4})d?$/.exec(given)?.[1] : undefined
  return days === undefined || Number(days) > mostDays ? null : Number(days)
}
