/** `countersign approval`: what waits, the whole card, and the verdict. Showing comes before deciding, always. */
import { createInterface } from 'node:readline/promises'
import type { ApprovalDetail, ApprovalView, Decided, GrantRequest } from '@countersign/contract'
import { fullCard } from '../card.ts'
import type { Gateway } from '../connection.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { approvalVerdict, inspect } from '../countersign.ts'
import { parseDuration } from '../duration.ts'
import { type Answer, done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, tierLabel } from '../output/safe.ts'
import { until } from '../output/time.ts'

const states = ['pending', 'approved', 'denied', 'expired', 'withdrawn', 'superseded', 'all']

export const list: Handler = async (context, _args, options) => {
  const { state = 'pending', run } = options
  if (typeof state !== 'string' || !states.includes(state)) {
    return usage(`--state is one of ${states.join(', ')}.`, 'approval list')
  }
  const filter = { ...(state === 'all' ? {} : { state }), ...(typeof run === 'string' ? { run } : {}) }
  const approvals = await (await context.gateway()).client.approvals(filter)
  if (approvals.length === 0) return done({ approvals }, state === 'pending' ? 'Nothing needs you.' : 'None.')
  const rows = approvals.map((approval) => approvalRow(approval, context))
  return done({ approvals }, columns([['Code', 'Tier', 'Left', 'Call'], ...rows]))
}

export const show: Handler = async (context, [ref = '']) => {
  const gateway = await context.gateway()
  const detail = await gateway.client.approval(ref)
  const inspection = inspect(detail, gateway.identity)
  const problem = inspection.kind === 'unsound' ? inspection.problem : null
  const { code, state, card } = detail.approval
  const next =
    problem !== null
      ? context.paint('bad', `Do not approve it: ${problem}.`)
      : state === 'pending' && card.tier < 4
        ? `Decide it with \`countersign approval approve ${line(code)}\` or \`countersign approval deny ${line(code)}\`.`
        : ''
  return done({ ...detail, problem }, `${cardOf(detail, gateway, context)}\n\n${next}`.trimEnd())
}

export const approve: Handler = async (context, [ref = ''], options) => {
  const grant = grantOf(options)
  if (typeof grant === 'string') return usage(grant, 'approval approve')
  const gateway = await context.gateway()
  const detail = await gateway.client.approval(ref)
  // Refused before the question: nobody should be asked about what cannot be approved.
  approvalVerdict({ detail, identity: gateway.identity, now: context.host.clock(), grant })
  if (options.yes !== true) {
    if (!context.interactive)
      return usage(
        'Approving asks for your consent in a terminal. Add --yes to give it here.',
        'approval approve',
      )
    context.host.output.write(`${cardOf(detail, gateway, context)}\n\n`)
    if (!(await consents(context, detail.approval)))
      return done({ approval: detail.approval, decided: false }, 'Not approved; it still waits.')
  }
  return decided(await approveNow(gateway, detail, context.host.clock(), grant))
}

export const deny: Handler = async (context, [ref = ''], options) => {
  const gateway = await context.gateway()
  const reason = typeof options.reason === 'string' ? options.reason : ''
  return decided(await gateway.client.decide(ref, { verdict: 'deny', reason, stop: options.stop === true }))
}

/** Seals and sends exactly what was shown: the digest of the detail that the caller holds. */
export function approveNow(
  gateway: Pick<Gateway, 'client' | 'identity'>,
  detail: ApprovalDetail,
  now: Date,
  grant?: GrantRequest,
): Promise<Decided> {
  return gateway.client.decide(
    detail.approval.id,
    approvalVerdict({ detail, identity: gateway.identity, now, grant }),
  )
}

export function decidedText({ approval, grant, ledger }: Decided): string {
  const receipt = line(approval.receipt ?? `${approval.code} is ${approval.state}.`)
  return `${receipt}${grant === null ? '' : `  Grant ${grant}`}${ledgerMark(ledger)}`
}

export function approvalRow(approval: ApprovalView, context: Pick<Context, 'paint' | 'moment'>): string[] {
  const left = approval.state === 'pending' ? until(approval.expiresAt, context.moment()) : approval.state
  return [
    line(approval.code),
    tierLabel(approval.card.tier, context.paint),
    left,
    line(approval.card.headline),
  ]
}

function decided(result: Decided): Answer {
  return done({ ...result, decided: true }, decidedText(result))
}

function cardOf(detail: ApprovalDetail, gateway: Gateway, context: Context): string {
  const inspection = inspect(detail, gateway.identity)
  const subject = inspection.kind === 'sound' ? inspection.subject : undefined
  return fullCard(detail.approval, { paint: context.paint, moment: context.moment() }, subject)
}

/** Only the code or `y` is consent; Enter alone is not. */
async function consents(context: Context, approval: ApprovalView): Promise<boolean> {
  const reader = createInterface({ input: context.host.input, output: context.host.output })
  try {
    const typed = (
      await reader.question(`Approve it? Type ${line(approval.code)} or y, anything else leaves it: `)
    ).trim()
    return typed.toUpperCase() === approval.code.toUpperCase() || typed.toLowerCase() === 'y'
  } finally {
    reader.close()
  }
}

/** A sentence when the options do not make a grant. */
function grantOf(options: OptionValues): GrantRequest | undefined | string {
  const { for: scope, max } = options
  if (scope === undefined) return max === undefined ? undefined : '--max goes with --for.'
  const maxUses = max === undefined ? undefined : Number(max)
  if (maxUses !== undefined && !(Number.isInteger(maxUses) && maxUses >= 1 && maxUses <= 1_000))
    return '--max is a number from 1 to 1000.'
  const limit = maxUses === undefined ? {} : { maxUses }
  if (scope === 'run' || scope === 'session') return { scope, ...limit }
  const ms = parseDuration(String(scope))
  const minutes = ms === undefined ? Number.NaN : Math.floor(ms / 60_000)
  if (!(minutes >= 1 && minutes <= 1_440)) return '--for is run, session, or a time from 1m to 24h.'
  return { scope: 'time', minutes, ...limit }
}
