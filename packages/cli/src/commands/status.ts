/** `countersign status`: what is running, and what needs the operator. */
import { type AskedPer100, askedTimes, type RunView, type Status, waitingWords } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { readFastStatus } from '../fast-status/fast-status.ts'
import { fitsShape, statusShape } from '../fast-status/reply-shape.ts'
import { done } from '../output/answer.ts'
import { bytesWords } from '../output/bytes.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { ago, clockTime } from '../output/time.ts'

/** Enough of a hash to compare by eye; the JSON has all of it. */
const shortHash = 12

export const status: Handler = async (context) => {
  const quick = await readFastStatus(context, '/v1/status')
  const found =
    quick !== undefined && fitsShape(quick, statusShape)
      ? (quick as Status)
      : await (await context.gateway()).client.status()
  // The counts do not say what the parked ones wait for, and those that go on by themselves need nobody.
  const parked =
    found.runs.parked === 0 || context.flags.json
      ? []
      : await (await context.gateway()).client.runs({ state: 'parked' })
  return done({ status: found }, () => statusText(found, context, parked))
}

export function statusText(
  status: Status,
  context: Pick<Context, 'paint' | 'moment'>,
  parked: readonly RunView[] = [],
): string {
  const { paint } = context
  const moment = context.moment()
  const state = (ok: boolean) => (ok ? paint('good', 'ok') : paint('bad', 'not ok'))
  const { paused, pending, runs, ledger } = status
  const waits = pending.approvals + pending.questions
  return columns([
    [
      'Gateway',
      `${line(status.url)}  pid ${status.pid}  up since ${clockTime(status.startedAt, moment)}  version ${line(status.version)}`,
    ],
    ['State', paused ? paint('bad', `paused by ${line(paused.by)} ${ago(paused.at, moment)}`) : 'working'],
    ...(status.held
      ? [
          [
            'Held',
            `${paint('bad', 'unattended work')}: ${line(status.held.because)} Resume it with \`countersign cost resume\`.`,
          ],
        ]
      : []),
    [
      'Needs you',
      waits === 0
        ? 'nothing'
        : paint('strong', `${count(pending.approvals, 'approval')}, ${count(pending.questions, 'question')}`),
    ],
    ['Runs', `${runs.running} running, ${runs.parked} waiting, ${runs.queued} queued`],
    ...waitsThatEnd(parked, moment),
    ['Model', `${modelState(status.model, state, moment)}  ${modelWords(status.model)}`],
    ['Executor', `${state(status.executor.ok)}  ${line(status.executor.sandbox)}`],
    [
      'Database',
      `${state(status.database.ok)}  ${status.database.mode}${status.database.problem === null ? '' : `: ${line(status.database.problem)}`}`,
    ],
    ['Ledger', `${state(ledger.writable)}  ${ledger.size} entries, signed up to ${ledger.signed}`],
    ['Disk', diskWords(status.disk)],
    ['Policy', `${line(status.policy.slice(0, shortHash))}  autonomy ${line(status.autonomy)}`],
    ['Asks', askedWords(status.asked)],
  ])
}

/** As installed, and not what this gateway asked. */
function askedWords(asked: AskedPer100): string {
  const [weeks, heldOut] = askedTimes(asked)
  return `${weeks.join(', ')} times in 100 calls of our test weeks (developer, office, household); held out ${heldOut.join(', ')}`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** One row for each thing that runs wait for and that ends by itself: the others need the operator and are counted above. */
function waitsThatEnd(parked: readonly RunView[], moment: ReturnType<Context['moment']>): string[][] {
  const waiting = parked.filter((run) => run.parkedOn === 'retry' || run.parkedOn === 'inbox')
  const words = waiting.map((run) => waitingWords(run, (at) => clockTime(at, moment)) ?? '')
  return [...Map.groupBy(words, (each) => each)].map(([each, runs]) => [
    '',
    `${line(each)}${runs.length === 1 ? '' : ` (${runs.length} runs)`}`,
  ])
}

function modelState(
  model: Status['model'],
  state: (ok: boolean) => string,
  moment: ReturnType<Context['moment']>,
): string {
  if (model.state === 'untried') return 'not tried yet'
  return model.since === null
    ? state(model.ok)
    : `${state(model.ok)}, failing since ${clockTime(model.since, moment)}`
}

/** Without a model to name, its name says why there is none. */
function modelWords({ provider, model, state, problem }: Status['model']): string {
  if (state === 'none') return line(problem ?? '')
  return `${line(provider)} ${line(model)}${problem === null ? '' : `: ${line(problem)}`}`
}

function diskWords({ free, database, ledger, workspace, executor, logs }: Status['disk']): string {
  const other = executor + logs
  return `${bytesWords(free)} free; database ${bytesWords(database)} (ledger ${bytesWords(ledger)}), workspace ${bytesWords(workspace)}, rest ${bytesWords(other)}`
}
