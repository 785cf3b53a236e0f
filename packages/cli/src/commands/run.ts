/** `countersign run`: what the agent is doing and has done, how to stop it and how to undo it. */
import {
  type CallView,
  isInternalRun,
  type RunDetail,
  type RunView,
  runWord,
  standingWords,
} from '@countersign/contract'
import { activityLine } from '../chat/activity.ts'
import { retryWords } from '../chat/retry.ts'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { money } from '../output/money.ts'
import { ledgerMark } from '../output/receipt.ts'
import { cutRows } from '../output/rows.ts'
import { line, lines } from '../output/safe-text.ts'
import { ago, clockTime } from '../output/time.ts'
import { shortId } from '../short-id.ts'

const states = ['running', 'parked', 'stopped']

export const list: Handler = async (context, _args, options) => {
  const { session, state } = options
  if (typeof state === 'string' && !states.includes(state)) {
    return usage(`--state is one of ${states.join(', ')}.`, 'run list')
  }
  const filter = {
    ...(typeof session === 'string' ? { session } : {}),
    ...(typeof state === 'string' ? { state } : {}),
  }
  const found = await (await context.gateway()).client.runs(filter)
  // Nobody asked for what the machinery does by itself.
  const runs =
    options.all === true || session !== undefined ? found : found.filter((run) => !isInternalRun(run))
  if (runs.length === 0) return done({ runs }, 'No run.')
  const rows = runs.map((run) => [
    shortId(run.id),
    runWord(run),
    ago(run.startedAt, context.moment()),
    money(run.costUsd),
    line(run.asked.replaceAll(/\s*\n\s*/g, ' ')),
  ])
  const table = columns([['Run', 'State', 'Started', 'Cost', 'Request'], ...rows])
  return done({ runs }, cutRows(table, context.width()))
}

export const show: Handler = async (context, [id = ''], options) => {
  const detail = await (await context.gateway()).client.run(id)
  if (options['reasoning'] === true) return done({ ...detail }, reasoningText(detail))
  return done({ ...detail }, runText(detail, context))
}

export const stop: Handler = async (context, [id = '']) => {
  const { ledger } = await (await context.gateway()).client.stopRun(id)
  return done({ run: id, ledger }, `Stopping ${line(id)}.${ledgerMark(ledger)}`)
}

export const pause: Handler = async (context, [id = '']) => {
  const { ledger } = await (await context.gateway()).client.pauseRun(id)
  return done(
    { run: id, ledger },
    `Pausing ${line(id)} before its next step.${ledgerMark(ledger)}\nContinue with \`countersign run resume ${line(id)}\`.`,
  )
}

export const resume: Handler = async (context, [id = '']) => {
  const { ledger } = await (await context.gateway()).client.resumeRun(id)
  return done({ run: id, ledger }, `${line(id)} goes on.${ledgerMark(ledger)}`)
}

export const retry: Handler = async (context, [id = ''], options) => {
  const model = typeof options.model === 'string' ? { model: options.model } : {}
  const retried = await (await context.gateway()).client.retryRun(id, model)
  const text = retried.run === id ? `Trying ${line(id)} again.` : `Sent again: ${retried.run ?? 'queued'}.`
  return done({ ...retried }, `${text}${ledgerMark(retried.ledger)}`)
}

export const undo: Handler = async (context, [id = ''], options) => {
  const calls = typeof options.call === 'string' ? options.call.split(',') : undefined
  const reply = await (await context.gateway()).client.undoRun(id, calls)
  const counted = `${reply.calls} ${reply.calls === 1 ? 'call' : 'calls'}`
  return done({ ...reply }, `Undoing ${counted} in ${reply.run}.${ledgerMark(reply.ledger)}`)
}

export function runState(
  run: Pick<RunView, 'state' | 'parkedOn' | 'reason' | 'retry' | 'callsWaiting'> & {
    readonly problems?: number
  },
  moment: ReturnType<Context['moment']>,
): string {
  const waits = standingWords(run, (at) => clockTime(at, moment))
  if (waits !== null) return waits
  return runWord({ problems: 0, ...run })
}

/** What a model thought is shown only where somebody asks for it. */
export function reasoningText({ run, reasoning }: Pick<RunDetail, 'run' | 'reasoning'>): string {
  if (reasoning.length > 0)
    return reasoning.map(({ turn, text }) => `Turn ${turn}\n${indent(lines(text))}`).join('\n\n')
  return run.detailsRemovedAt === null
    ? 'No reasoning: the provider of the model tells none.'
    : 'No reasoning: it was removed with the details of the run.'
}

function runText({ run, calls, approvals }: RunDetail, context: Context): string {
  const moment = context.moment()
  const waiting = approvals
    .filter((approval) => approval.state === 'pending')
    .map((approval) => approval.code)
  const facts = [
    ['Run', run.id],
    ['Session', run.session],
    ['State', `${runState(run, moment)}${run.message === '' ? '' : `: ${line(run.message)}`}`],
    ['Started', clockTime(run.startedAt, moment)],
    ...(run.detailsRemovedAt === null
      ? []
      : [
          [
            'Details',
            `removed by retention ${ago(run.detailsRemovedAt, moment)}; the ledger has every entry`,
          ],
        ]),
    ...(run.endedAt === null ? [] : [['Ended', clockTime(run.endedAt, moment)]]),
    ['Cost', money(run.costUsd)],
    ['Turns', turnWords(run)],
    ...(waiting.length > 0 ? [['Waits for', waiting.join(', ')]] : []),
    ...(run.retry
      ? [
          ['Waits', line(retryWords(run.retry, moment.now))],
          [
            'Next',
            `It continues in the background; \`countersign run retry ${run.id}\` tries now, \`countersign run stop ${run.id}\` stops it.`,
          ],
        ]
      : []),
  ]
  const shown = calls.map(
    (call) =>
      `${callLine(call, context)}  ${context.paint('quiet', shortId(call.id))}${resultText(run, call)}`,
  )
  return [columns(facts), '', indent(lines(run.text)), '', ...shown].join('\n').trimEnd()
}

/** A call that was made by hand has no model to tell what came of it. */
function resultText(run: RunView, call: CallView): string {
  return run.kind === 'direct' && call.result !== '' ? `\n${indent(lines(call.result), '    │ ')}` : ''
}

function callLine(call: CallView, context: Context): string {
  return activityLine(
    {
      state: call.outcome ?? (call.state === 'asked' ? 'waiting' : 'running'),
      tool: call.tool,
      headline: call.headline,
      tier: call.tier,
      summary: call.summary,
      undoable: call.undoable,
    },
    context.paint,
  )
}

function turnWords({ turns, mostTurns, segments }: RunView): string {
  const most = mostTurns === undefined ? '' : ` of at most ${mostTurns}`
  return `${turns}${most} in ${segments} ${segments === 1 ? 'segment' : 'segments'}`
}
