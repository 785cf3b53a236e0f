/** Owns a decision that needs more than this terminal: it opens the request in the web app and waits for what is decided there. */
import { type ApprovalDetail, type ApprovalView, CountersignError } from '@countersign/contract'
import type { Gateway } from '../connection.ts'
import type { Context } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { line } from '../output/safe-text.ts'
import { inspectApproval } from '../seal-approval.ts'
import { open } from './open.ts'

const longestMs = 10 * 60_000
const everyMs = 500

/** Ends with the decision, whoever made it, or when the time of `--wait` is over. */
export async function decidedInWeb(
  context: Context,
  gateway: Gateway,
  detail: ApprovalDetail,
): Promise<CommandAnswer> {
  const { approval } = detail
  const inspection = inspectApproval(detail, gateway.identity)
  if (inspection.kind === 'unsound')
    throw new CountersignError('conflict', `${line(approval.code)} is not sound: ${inspection.problem}.`)
  if (approval.state !== 'pending') return answerFor(approval)
  const { clock, wait } = context.host
  const until = clock().getTime() + (context.flags.waitMs ?? longestMs)
  const opened = await open(context, [`approvals/${approval.code}`], {})
  if (opened.kind === 'failed') return opened
  context.note(`Waiting for your decision on ${line(approval.code)}. Ctrl-C stops waiting.`)
  for (;;) {
    const { approval: now } = await gateway.client.approval(approval.id)
    if (now.state !== 'pending') return answerFor(now)
    if (clock().getTime() >= until) throw undecided(now)
    await wait(everyMs)
  }
}

function answerFor(approval: ApprovalView): CommandAnswer {
  const { code, state, reason, receipt } = approval
  const details = { code, approval: approval.id, state }
  if (state === 'approved') return done({ approval, decided: true }, line(receipt ?? `${code} is approved.`))
  if (state === 'denied')
    throw new CountersignError(
      'denied_by_operator',
      `${line(code)} was denied${reason === null || reason === '' ? '' : `: ${line(reason)}`}.`,
      { details },
    )
  if (state === 'expired') throw new CountersignError('expired', `${line(code)} has expired.`, { details })
  throw new CountersignError('conflict', `${line(code)} is ${state}.`, { details })
}

function undecided({ code }: ApprovalView): CountersignError {
  return new CountersignError('timeout', `${line(code)} is still pending.`, {
    details: { code },
    next: `Wait for it again with \`countersign approval approve ${line(code)} --step-up\`.`,
  })
}
