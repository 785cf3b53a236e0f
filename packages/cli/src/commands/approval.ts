/** `countersign approval`: what waits, the whole card, and how a verdict is sent and told. */
import {
  type ApprovalDetail,
  type ApprovalView,
  cardFlags,
  type DecisionReply,
  type GrantRequest,
  turnWords,
} from '@countersign/contract'
import { fullCard } from '../card.ts'
import type { Gateway } from '../connection.ts'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'
import { ago, until } from '../output/time.ts'
import { approvalVerdict, inspectApproval } from '../seal-approval.ts'
import { heldLine } from './approval-held.ts'

const states = ['pending', 'approved', 'denied', 'expired', 'withdrawn', 'superseded', 'all']

export const list: Handler = async (context, _args, options) => {
  const { state = 'pending', run } = options
  if (typeof state !== 'string' || !states.includes(state)) {
    return usage(`--state is one of ${states.join(', ')}.`, 'approval list')
  }
  const filter = { ...(state === 'all' ? {} : { state }), ...(typeof run === 'string' ? { run } : {}) }
  const found = await (await context.gateway()).client.approvals(filter)
  // What waits longest stands first, as in the inbox of the web app.
  const approvals = state === 'pending' ? found.toReversed() : found
  const held =
    state === 'pending' && run === undefined && !context.flags.json ? await heldLine(context) : null
  const withHeld = (text: string) => (held === null ? text : `${text}\n${held}`)
  if (approvals.length === 0)
    return done({ approvals }, withHeld(state === 'pending' ? 'Nothing needs you.' : 'None.'))
  const rows = approvals.map((approval) => approvalRow(approval, context))
  const table = columns([['Code', 'Tier', 'Left', 'Call'], ...rows])
  const behind = state === 'pending' ? turnWords(await callsBehind(context, run)) : null
  return done({ approvals }, withHeld(behind === null ? table : `${table}\n${behind}`))
}

/** Calls that have no card yet, in the runs that wait. */
async function callsBehind(context: Context, run: unknown): Promise<number> {
  if (context.flags.json) return 0
  const parked = await (await context.gateway()).client.runs({ state: 'parked' })
  return parked
    .filter(({ id }) => run === undefined || id === run)
    .reduce((sum, { callsWaiting }) => sum + callsWaiting, 0)
}

export const show: Handler = async (context, [ref = '']) => {
  const gateway = await context.gateway()
  const detail = await gateway.client.approval(ref)
  const inspection = inspectApproval(detail, gateway.identity)
  const problem = inspection.kind === 'unsound' ? inspection.problem : null
  const next = [
    cardOf(detail, gateway, context),
    historyText(detail, context),
    problem === null ? nextText(detail.approval) : context.paint('bad', `Do not approve it: ${problem}.`),
  ]
  return done({ ...detail, problem }, next.filter((part) => part !== '').join('\n\n'))
}

/** Seals and sends exactly what was shown: the digest of the detail that the caller holds. */
export function approveNow(
  gateway: Pick<Gateway, 'client' | 'identity'>,
  detail: ApprovalDetail,
  now: Date,
  grant?: GrantRequest,
): Promise<DecisionReply> {
  return gateway.client.decide(
    detail.approval.id,
    approvalVerdict({ detail, identity: gateway.identity, now, grant }),
  )
}

export function decidedText({ approval, grant, ledger, refusal }: DecisionReply): string {
  const receipt = line(approval.receipt ?? `${approval.code} is ${approval.state}.`)
  const said = `${receipt}${grant === null ? '' : `  Grant ${grant}`}${ledgerMark(ledger)}`
  if (refusal === undefined) return said
  return refusal.kind === 'written'
    ? `${said}\nFrom now on this is refused without asking: policy version ${refusal.version}.`
    : `${said}\nThe rule was not written: ${line(refusal.problem)}`
}

/** A list shows no card, so it must say what the card would warn of. */
function headlineText({ card }: ApprovalView, paint: Context['paint']): string {
  const flags = cardFlags(card)
  const words = line(card.headline)
  return flags.length === 0 ? words : `${words}  ${paint('bad', `⚠ ${flags.join(', ')}`)}`
}

export function approvalRow(approval: ApprovalView, context: Pick<Context, 'paint' | 'moment'>): string[] {
  const left = approval.state === 'pending' ? until(approval.expiresAt, context.moment()) : approval.state
  return [
    line(approval.code),
    tierLabel(approval.card.tier, context.paint),
    left,
    headlineText(approval, context.paint),
  ]
}

/** The whole card, with the sealed bytes where they are what they claim to be. */
export function cardOf(
  detail: ApprovalDetail,
  gateway: Pick<Gateway, 'identity'>,
  context: Pick<Context, 'paint' | 'moment'>,
): string {
  const inspection = inspectApproval(detail, gateway.identity)
  const subject = inspection.kind === 'sound' ? inspection.subject : undefined
  return fullCard(detail.approval, { paint: context.paint, moment: context.moment() }, subject)
}

function historyText({ history }: ApprovalDetail, context: Pick<Context, 'moment'>): string {
  const { approved, denied, lastAt } = history
  if (lastAt === null) return ''
  return `Similar: approved ${approved}, denied ${denied} in 30 days, the last ${ago(lastAt, context.moment())}.`
}

function nextText({ state, code, card }: ApprovalView): string {
  if (state !== 'pending') return ''
  const approve = `countersign approval approve ${line(code)}${card.tier === 4 ? ' --step-up' : ''}`
  return `Decide it with \`${approve}\` or \`countersign approval deny ${line(code)}\`.`
}
