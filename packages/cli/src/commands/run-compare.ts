/** `countersign run compare`: two runs side by side, step by step. */
import type { CallView, RunDetail } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { money } from '../output/money.ts'
import { line } from '../output/safe-text.ts'
import { runState } from './run.ts'

export const compare: Handler = async (context, [left = '', right = '']) => {
  const { client } = await context.gateway()
  const [one, other] = await Promise.all([client.run(left), client.run(right)])
  const steps = alignCalls(one.calls, other.calls)
  const differ = steps.filter(({ same }) => !same).length
  return done({ left: one.run, right: other.run, steps, differ }, () =>
    compareText(one, other, steps, context),
  )
}

export interface ComparedStep {
  readonly step: number
  readonly left: CallView | null
  readonly right: CallView | null
  /** The same tool with the same arguments. */
  readonly same: boolean
}

export function alignCalls(left: readonly CallView[], right: readonly CallView[]): readonly ComparedStep[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const [one = null, other = null] = [left[index], right[index]]
    const same = one !== null && other !== null && one.tool === other.tool && one.args === other.args
    return { step: index + 1, left: one, right: other, same }
  })
}

function compareText(
  one: RunDetail,
  other: RunDetail,
  steps: readonly ComparedStep[],
  context: Context,
): string {
  const facts = (title: string, of: (detail: RunDetail) => string) => [title, of(one), of(other)]
  const head = columns([
    facts('Run', ({ run }) => run.id),
    facts('State', ({ run }) => runState(run, context.moment())),
    facts('Turns', ({ run }) => String(run.turns)),
    facts('Calls', ({ run }) => String(run.calls)),
    facts('Cost', ({ run }) => money(run.costUsd)),
  ])
  if (steps.length === 0) return `${head}\n\nNeither made a call.`
  const rows = steps.flatMap(({ step, left, right, same }) =>
    same
      ? [[String(step), '=', callText(left)]]
      : [
          [String(step), context.paint('bad', '<'), callText(left)],
          ['', context.paint('strong', '>'), callText(right)],
        ],
  )
  const differ = steps.filter(({ same }) => !same).length
  const words = differ === 0 ? 'Every step is the same.' : `${differ} of ${steps.length} steps differ.`
  return `${head}\n\n${columns([['Step', '', 'Call'], ...rows])}\n\n${words}`
}

function callText(call: CallView | null): string {
  if (call === null) return 'nothing'
  return `${line(call.tool)}  ${line(call.headline)}  ${call.outcome ?? call.state}`
}
