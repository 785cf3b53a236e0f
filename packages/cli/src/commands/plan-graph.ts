/** Draws a plan as an outline: what holds what by indentation, what waits for what in words. */

import {
  type PlanDetail,
  type PlanPreview,
  type PlanStep,
  type PlanStepState,
  planGraph,
  planOrder,
} from '@countersign/contract'
import type { Paint } from '../output/colour.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'

const marks: Readonly<Record<PlanStepState['state'], string>> = {
  later: '·',
  ready: '○',
  running: '▶',
  waits: '?',
  done: '✓',
  failed: '✗',
  skipped: '-',
  dropped: '-',
}

const words: Readonly<Record<PlanStepState['state'], string>> = {
  later: '',
  ready: 'ready',
  running: 'running',
  waits: 'waits for you',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
  dropped: 'not begun',
}

export function graphText(
  { plan, states }: Pick<PlanDetail, 'plan' | 'states'>,
  preview: Pick<PlanPreview, 'steps'> | undefined,
  paint: Paint,
): string {
  const graph = planGraph(plan.steps)
  const stateOf = new Map(states.map((each) => [each.step, each]))
  const judged = new Map(preview?.steps.map((each) => [each.step, each]))
  const rows: string[][] = []
  const seen = new Set<string>()

  function draw(holder: string | null, depth: number): void {
    const ids = graph.inside.get(holder) ?? []
    const { order, ring } = planOrder(ids, graph.waits)
    for (const id of [...order, ...ring]) {
      const step = graph.steps.get(id)
      if (!step || seen.has(id)) continue
      seen.add(id)
      const state = stateOf.get(id)
      const shown = state?.state ?? 'later'
      const waits = [...(graph.waits.get(id) ?? [])]
      rows.push([
        `${'  '.repeat(depth)}${paint(inkOf(shown), marks[shown])} ${paint('strong', id)}`,
        line(whatOf(step)),
        stopOf(judged.get(id), paint),
        stateWords(state),
        waits.length === 0 ? '' : paint('quiet', `after ${waits.join(', ')}`),
      ])
      draw(id, depth + 1)
    }
  }
  draw(null, 0)
  // Steps that hold each other in a ring hang under nobody; a person must still see them.
  for (const { id } of plan.steps) if (!seen.has(id)) rows.push([`✗ ${id}`, 'inside itself'])
  return columns(rows)
}

function whatOf(step: PlanStep): string {
  const { name } = step
  switch (step.type) {
    case 'tool_call':
      return `${name} (${step.tool})`
    case 'llm_decision':
      return `${name} (the model decides)`
    case 'user_input':
      return `${name} (a question)`
    case 'condition': {
      const then = step.onTrue.length === 0 ? '' : `, then ${step.onTrue.join(', ')}`
      const other = step.onFalse.length === 0 ? '' : `, else ${step.onFalse.join(', ')}`
      const right = step.right === undefined ? '' : ` ${String(step.right)}`
      return `${name} (if ${String(step.left)} ${step.operator}${right}${then}${other})`
    }
    case 'parallel':
      return `${name} (together)`
    case 'loop': {
      const over = typeof step.over === 'string' ? step.over : `${step.over?.length ?? 0} items`
      return `${name} (${step.count === undefined ? `for each of ${over}` : `${step.count} times`})`
    }
  }
}

function stopOf(step: PlanPreview['steps'][number] | undefined, paint: Paint): string {
  if (!step) return ''
  const tier = step.tier === null ? '' : tierLabel(step.tier, paint)
  const says = {
    allow: '',
    ask: step.ahead ? 'stops, or is approved in advance' : 'stops for you',
    deny: 'is refused',
    may: 'may stop',
    question: 'stops for you',
    impossible: 'not possible now',
  }[step.decision]
  return [step.decision === 'question' ? '' : tier, says].filter((part) => part !== '').join(', ')
}

function stateWords(state: PlanStepState | undefined): string {
  if (!state) return ''
  const often = state.times > 1 ? ` ${state.times} times` : ''
  const tried = state.attempts > 1 ? `, attempt ${state.attempts}` : ''
  return `${words[state.state]}${often}${tried}`
}

function inkOf(state: PlanStepState['state']) {
  if (state === 'done') return 'good'
  if (state === 'failed') return 'bad'
  return state === 'waits' ? 'strong' : 'quiet'
}
