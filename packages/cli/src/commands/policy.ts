/** `countersign policy`: what is in force, since when and by whom; drafts checked, tried on past calls, and applied. */
import {
  Autonomy,
  CountersignError,
  type PolicyDocument,
  policyChangeText,
  sealText,
} from '@countersign/contract'
import { sha256Hex, signText } from '@countersign/contract/node'
import type { Gateway } from '../connection.ts'
import { consentTo } from '../consent.ts'
import type { Context, Handler } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { draftIn } from './policy-draft.ts'
import {
  checkShown,
  detailShown,
  levelsShown,
  policyShown,
  simulationSentence,
  simulationShown,
  versionsShown,
} from './policy-words.ts'

const usualDays = 30
const nothingSaid = 'Say what to change: --level, --rules or --passkey-tools.'

export const show: Handler = async (context, [number]) => {
  const { client } = await context.gateway()
  if (number === undefined) {
    const policy = await client.policy()
    return done({ policy }, () => policyShown(policy, context))
  }
  const version = wholeNumber(number)
  if (version === null) return usage('A version is a number, such as 3.', 'policy show')
  const detail = await client.policyVersion(version)
  return done({ ...detail }, () => detailShown(detail, context))
}

/** The level by itself is shown; with a word it is changed. */
export const level: Handler = async (context, [wanted]) => {
  const gateway = await context.gateway()
  const policy = await gateway.client.policy()
  if (wanted === undefined)
    return done({ level: policy.version.autonomy, levels: policy.levels }, () => levelsShown(policy))
  const parsed = Autonomy.safeParse(wanted)
  if (!parsed.success) return usage(`A level is one of: ${Autonomy.options.join(', ')}.`, 'policy level')
  if (parsed.data === policy.version.autonomy)
    return done({ level: parsed.data, changed: false }, `The level is already ${parsed.data}.`)
  return applied(context, gateway, policy.version.number, { ...policy.document, autonomy: parsed.data })
}

export const check: Handler = async (context, [rules], options) => {
  const { client } = await context.gateway()
  const policy = await client.policy()
  const draft = draftIn({ ...options, rules: rules ?? options.rules }, policy) ?? policy.document
  const checked = await client.checkPolicy(draft)
  if (checked.problems.length > 0)
    throw new CountersignError('policy_invalid', checkShown(checked, context), {
      details: { problems: checked.problems },
      next: 'Fix these lines, then check again.',
    })
  return done({ ...checked }, () => checkShown(checked, context))
}

export const simulate: Handler = async (context, _args, options) => {
  const days = daysIn(options.days)
  if (days === null) return usage('--days is a number from 1 to 365.', 'policy simulate')
  const { client } = await context.gateway()
  const draft = draftIn(options, await client.policy())
  if (draft === undefined) return usage(nothingSaid, 'policy simulate')
  context.working('Judging your past calls by the draft')
  const simulation = await client.simulatePolicy(draft, days)
  return done({ ...simulation }, () => simulationShown(simulation, context))
}

export const apply: Handler = async (context, _args, options) => {
  const gateway = await context.gateway()
  const policy = await gateway.client.policy()
  const draft = draftIn(options, policy)
  if (draft === undefined) return usage(nothingSaid, 'policy apply')
  return applied(context, gateway, policy.version.number, draft)
}

export const versions: Handler = async (context) => {
  const all = await (await context.gateway()).client.policyVersions()
  return done({ versions: all }, () => versionsShown(all, context))
}

export const asOf: Handler = async (context, [entry = '']) => {
  const number = wholeNumber(entry.replace(/^#/, ''))
  if (number === null) return usage('Name an entry of the ledger by its number, such as 412.', 'policy as-of')
  const detail = await (await context.gateway()).client.policyAsOf(number)
  return done({ ...detail }, () => detailShown(detail, context))
}

/** Puts back a version as it was; it becomes the newest. */
export const restore: Handler = async (context, [number = '']) => {
  const wanted = wholeNumber(number)
  if (wanted === null) return usage('A version is a number, such as 3.', 'policy restore')
  const gateway = await context.gateway()
  const [{ document }, { version }] = await Promise.all([
    gateway.client.policyVersion(wanted),
    gateway.client.policy(),
  ])
  return applied(context, gateway, version.number, document)
}

/** Shows what the draft would have done before anybody agrees to it. */
export async function applied(
  context: Context,
  gateway: Gateway,
  base: number,
  document: PolicyDocument,
): Promise<CommandAnswer> {
  const { client, identity } = gateway
  const checked = await client.checkPolicy(document)
  if (checked.problems.length > 0)
    throw new CountersignError('policy_invalid', checkShown(checked, context), {
      next: 'Fix these lines, then try again. Nothing was changed.',
    })
  if (checked.same) return done({ changed: false }, 'This is already in force.')
  if (context.interactive && !context.flags.yes) {
    context.working('Judging your past calls by the draft')
    const simulation = await client.simulatePolicy(document, usualDays)
    const plan = [
      simulationSentence(simulation),
      ...(checked.loosens.length === 0
        ? []
        : ['It asks less:', ...checked.loosens.map((each) => `  ${line(each)}`)]),
    ].join('\n')
    const consent = await consentTo(context, {
      plan,
      question: 'Type apply to put it in force',
      word: 'apply',
    })
    if (consent === 'withheld') return done({ changed: false }, 'Nothing was changed.')
  }
  const digest = sha256Hex(policyChangeText({ gateway: identity.trust.gateway.id, base, document }))
  const { id, keys } = identity.device
  const decidedAt = context.host.clock().toISOString()
  const signature = signText(keys.privateKey, sealText(digest, id, decidedAt))
  const { version, ledger } = await client.applyPolicy({
    base,
    document,
    seal: { by: 'device', device: id, decidedAt, signature },
  })
  return done(
    { version, ledger, changed: true },
    `Policy version ${version.number} is in force, at level ${version.autonomy}.${ledgerMark(ledger)}`,
  )
}

function daysIn(given: string | boolean | undefined): number | null {
  if (given === undefined) return usualDays
  const days = typeof given === 'string' ? wholeNumber(given.replace(/d$/, '')) : null
  return days === null || days < 1 || days > 365 ? null : days
}

function wholeNumber(text: string): number | null {
  return /^\d{1,12}$/.test(text) ? Number(text) : null
}
