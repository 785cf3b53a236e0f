/** Waits for a call that was made by hand, and tells what came of it. */
import { errorCatalogue, type RunDetail, type ToolCalled } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context } from '../context.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'

const lookEveryMs = 150
const patienceMs = 60_000

export async function settledDirectRun(
  context: Context,
  client: Client,
  called: ToolCalled,
): Promise<CommandAnswer> {
  const until = context.moment().now.getTime() + (context.flags.waitMs ?? patienceMs)
  for (;;) {
    const detail = await client.run(called.run)
    const waits = detail.run.state === 'parked'
    if (detail.run.state === 'stopped' || (waits && context.flags.waitMs === undefined))
      return answerOf(detail, called)
    if (context.moment().now.getTime() > until) return stillRunning(detail)
    await context.host.wait(lookEveryMs, new AbortController().signal)
  }
}

function answerOf(detail: RunDetail, called: ToolCalled): CommandAnswer {
  const { run, calls, approvals } = detail
  const pending = approvals.find((approval) => approval.state === 'pending')
  if (run.state === 'parked' && pending) {
    return failed({
      type: 'approval_required',
      message: `It needs your approval ${pending.code}: ${line(pending.card.headline)}`,
      next: `Decide it with \`countersign approval approve ${pending.code}\`.`,
      exit: errorCatalogue.approval_required.exit,
      details: { run: run.id, code: pending.code },
    })
  }
  if (run.state === 'parked') return stillRunning(detail)
  const [first] = calls
  if (run.reason !== 'completed') {
    return failed({
      type: 'tool_failed',
      message: lines(run.message),
      next: `See why with \`countersign why ${first?.id ?? run.id}\`.`,
      exit: 1,
      details: { run: run.id },
    })
  }
  return done(
    { run: run.id, calls, ledger: called.ledger },
    `${lines(first?.result ?? '')}${ledgerMark(called.ledger)}`,
  )
}

function stillRunning({ run }: RunDetail): CommandAnswer {
  return failed({
    type: 'timeout',
    message: `${run.id} is ${run.state}${run.parkedOn ? ` on ${run.parkedOn}` : ''}.`,
    next: `Look at it with \`countersign run show ${run.id}\`, or wait longer with --wait.`,
    exit: errorCatalogue.timeout.exit,
    details: { run: run.id },
  })
}
