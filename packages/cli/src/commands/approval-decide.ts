/**
 * `countersign approval approve` and `deny`: the verdict, on exactly the requests that were named. Each is shown before
 * it is decided, and one that cannot be decided does not keep the others from it.
 */
import { createInterface } from 'node:readline/promises'
import {
  type ApprovalDetail,
  CountersignError,
  type DecisionReply,
  type GrantRequest,
  RefusalStop,
  type RuleRequest,
} from '@countersign/contract'
import type { Gateway } from '../connection.ts'
import type { Context, Handler } from '../context.ts'
import { type CommandAnswer, type CommandFailure, done, failed } from '../output/answer.ts'
import { failureOf, usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { approvalVerdict } from '../seal-approval.ts'
import { approveNow, cardOf, decidedText } from './approval.ts'
import { grantOf } from './approval-grant.ts'
import { similarTo } from './approval-similar.ts'
import { decidedInWeb } from './approval-step-up.ts'

export const approve: Handler = async (context, refs, options) => {
  const grant = grantOf(options)
  if (typeof grant === 'string') return usage(grant, 'approval approve')
  if (refs.length > 1 && (grant !== undefined || options.stepUp === true))
    return usage(
      'Several requests can only be approved once each. Give one code to use a grant, a rule or --step-up.',
      'approval approve',
    )
  if (options.yes !== true && options.stepUp !== true && !context.interactive)
    return usage('Approving needs a confirmation in a terminal. Add --yes to skip it.', 'approval approve')
  const gateway = await context.gateway()
  const approveOne = async (detail: ApprovalDetail): Promise<DecisionResult> => {
    // Refused before the question: nobody should be asked about what cannot be approved.
    approvalVerdict({ detail, identity: gateway.identity, now: context.host.clock(), grant })
    if (options.yes !== true && !(await shownAndAgreed(context, gateway, detail, grant)))
      return { kind: 'left', detail }
    return {
      kind: 'decided',
      decided: await approveNow(gateway, detail, context.host.clock(), grant),
    }
  }
  const [ref = ''] = refs
  if (refs.length > 1) return report(await each(gateway, refs, approveOne), 'approved')
  const detail = await gateway.client.approval(ref)
  if (options.stepUp === true) return decidedInWeb(context, gateway, detail)
  return answerOf(await approveOne(detail))
}

export const deny: Handler = async (context, refs, options) => {
  const always = options.always === undefined ? undefined : RefusalStop.safeParse(options.always).data
  if (options.always !== undefined && always === undefined)
    return usage('--always takes target, place or tool.', 'approval deny')
  const refusal = always === undefined ? {} : { always }
  const gateway = await context.gateway()
  const reason = typeof options.reason === 'string' ? options.reason : ''
  const denyOne =
    (stop: boolean, also: { always?: RefusalStop }) =>
    async ({ approval }: Pick<ApprovalDetail, 'approval'>): Promise<DecisionResult> => ({
      kind: 'decided',
      decided: await gateway.client.decide(approval.id, { verdict: 'deny', reason, stop, ...also }),
    })
  const [ref = ''] = refs
  if (refs.length === 1 && options.similar !== true) {
    const decided = await gateway.client.decide(ref, {
      verdict: 'deny',
      reason,
      stop: options.stop === true,
      ...refusal,
    })
    return answerOf({ kind: 'decided', decided })
  }
  const alike = options.similar === true ? await alikeTo(gateway, refs) : []
  // A run that stops withdraws what it still waits for, so what is alike is denied before.
  const others = await each(gateway, alike, denyOne(false, {}))
  const named = await each(gateway, refs, denyOne(options.stop === true, refusal))
  return report([...named, ...others], 'denied')
}

type DecisionResult =
  | { readonly kind: 'decided'; readonly decided: DecisionReply }
  | { readonly kind: 'left'; readonly detail: ApprovalDetail }

type DecisionOutcome =
  | DecisionResult
  /** It could not be decided; it is as it was. */
  | { readonly kind: 'failed'; readonly ref: string; readonly failure: CommandFailure }

/** All are looked up before the first is decided, so that what comes meanwhile under the same code is not swept in. */
async function each(
  gateway: Gateway,
  refs: readonly string[],
  decide: (detail: ApprovalDetail) => Promise<DecisionResult>,
): Promise<DecisionOutcome[]> {
  const found = await Promise.all(
    refs.map(async (ref) => {
      try {
        return { ref, detail: await gateway.client.approval(ref) }
      } catch (error) {
        return { ref, error }
      }
    }),
  )
  const outcomes: DecisionOutcome[] = []
  const seen = new Set<string>()
  for (const { ref, detail, error } of found) {
    if (detail !== undefined && seen.has(detail.approval.id)) continue
    try {
      if (detail === undefined) throw error
      seen.add(detail.approval.id)
      outcomes.push(await decide(detail))
    } catch (problem) {
      if (!(problem instanceof CountersignError)) throw problem
      outcomes.push({ kind: 'failed', ref, failure: await failureOf(problem) })
    }
  }
  return outcomes
}

async function alikeTo({ client }: Gateway, refs: readonly string[]): Promise<string[]> {
  const alike = new Set<string>()
  const named = await Promise.all(refs.map((ref) => client.approval(ref)))
  for (const { approval } of named) {
    const waiting = await client.approvals({ state: 'pending', run: approval.run })
    for (const { id } of similarTo(approval, waiting)) alike.add(id)
  }
  for (const { approval } of named) alike.delete(approval.id)
  return [...alike]
}

function answerOf(verdict: DecisionResult): CommandAnswer {
  if (verdict.kind === 'left')
    return done({ approval: verdict.detail.approval, decided: false }, 'Not approved; it is still pending.')
  return done({ ...verdict.decided, decided: true }, decidedText(verdict.decided))
}

/** One line each. Where one could not be decided, the exit code is the one of the first that could not. */
function report(outcomes: readonly DecisionOutcome[], verb: 'approved' | 'denied'): CommandAnswer {
  const results = outcomes.map((outcome) => {
    switch (outcome.kind) {
      case 'decided': {
        const { approval, ledger } = outcome.decided
        return { code: approval.code, approval: approval.id, state: approval.state, decided: true, ledger }
      }
      case 'left': {
        const { code, id, state } = outcome.detail.approval
        return { code, approval: id, state, decided: false }
      }
      case 'failed':
        return { code: outcome.ref, decided: false, error: outcome.failure }
    }
  })
  const text = [countWords(outcomes, verb), ...outcomes.map(outcomeText)].join('\n')
  const first = outcomes.find((outcome) => outcome.kind === 'failed')
  if (first === undefined) return done({ results }, text)
  const { type, next, exit } = first.failure
  return failed({ type, message: text, next, exit, details: { results } })
}

function countWords(outcomes: readonly DecisionOutcome[], verb: string): string {
  const count = (kind: DecisionOutcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length
  const parts = [
    `${count('decided')} ${verb}`,
    ...(count('left') === 0 ? [] : [`${count('left')} left waiting`]),
    ...(count('failed') === 0 ? [] : [`${count('failed')} could not be ${verb}`]),
  ]
  return `${parts.join(', ')}.`
}

function outcomeText(outcome: DecisionOutcome): string {
  switch (outcome.kind) {
    case 'decided':
      return decidedText(outcome.decided)
    case 'left':
      return `${line(outcome.detail.approval.code)} still waits.`
    case 'failed':
      return `${line(outcome.ref)}: ${outcome.failure.message}`
  }
}

/** Shows the card, and what a rule would have met, before it asks. */
async function shownAndAgreed(
  context: Context,
  gateway: Gateway,
  detail: ApprovalDetail,
  grant: GrantRequest | undefined,
): Promise<boolean> {
  const rule = grant?.scope === 'rule' ? `${await coverageText(gateway, detail.approval.id, grant)}\n\n` : ''
  context.say(`${cardOf(detail, gateway, context)}\n\n${rule}`.trimEnd().concat('\n'))
  return consents(context, line(detail.approval.code), grant?.scope === 'rule')
}

async function coverageText(
  { client }: Gateway,
  approval: string,
  { stop, where, untrusted = false }: RuleRequest,
): Promise<string> {
  const { of, stops } = await client.coverage({ approval, where })
  const covered = stops.find((each) => each.stop === stop && each.untrusted === untrusted)
  if (covered === undefined)
    throw new CountersignError('usage', 'No such rule would answer this call. Approve it once.')
  return [
    `The rule: ${line(covered.sentence)}`,
    `It covers ${covered.covered} of your last ${of} calls, of which ${covered.asked} asked you.`,
    covered.nearest === null
      ? 'No other call of this tool was made.'
      : `Most similar call that would still ask: ${line(covered.nearest.headline)}`,
  ].join('\n')
}

/** Only the code or `y` is consent; Enter alone is not. */
async function consents({ host }: Context, code: string, withRule: boolean): Promise<boolean> {
  const reader = createInterface({ input: host.input, output: host.output })
  try {
    const what = withRule ? 'Approve it and save the rule?' : 'Approve it?'
    const typed = (await reader.question(`${what} Type ${code} or y, or anything else to leave it: `)).trim()
    return typed.toUpperCase() === code.toUpperCase() || typed.toLowerCase() === 'y'
  } finally {
    reader.close()
  }
}
