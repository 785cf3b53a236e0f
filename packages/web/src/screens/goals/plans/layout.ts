/**
 * Owns where the steps of a plan are drawn: each below what it waits for, and those that a loop or a group holds inside
 * its frame. Pure.
 */
import {
  type PlanGraph,
  type PlanStep,
  planGraph,
  planOrder,
  planStepReferences,
} from '@countersign/contract'

export interface PlanBox {
  readonly step: PlanStep
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** It holds others, and is drawn as a frame around them. */
  readonly isFrame: boolean
}

export interface PlanEdge {
  readonly from: string
  readonly to: string
  /** Why the later waits: the answer of a condition, a result that it uses, or its place. */
  readonly kind: 'after' | 'uses' | 'yes' | 'no'
}

export interface PlanLayout {
  readonly boxes: readonly PlanBox[]
  readonly edges: readonly PlanEdge[]
  readonly width: number
  readonly height: number
}

export const size = { width: 208, height: 60, gapX: 24, gapY: 44, frame: 14, heading: 30 } as const

export function planLayout(steps: readonly PlanStep[]): PlanLayout {
  const graph = planGraph(steps)
  const { boxes, width, height } = placed(graph, null, new Set())
  return { boxes, width, height, edges: edgesOf(graph, new Set(boxes.map(({ step }) => step.id))) }
}

type Placed = Pick<PlanLayout, 'boxes' | 'width' | 'height'>

/** The steps of one holder, row by row. A ring of waiting steps comes last, in the order of the plan. */
function placed(graph: PlanGraph, holder: string | null, seen: Set<string>): Placed {
  const ids = (graph.inside.get(holder) ?? []).filter((id) => !seen.has(id))
  for (const id of ids) seen.add(id)
  const { order, ring } = planOrder(ids, graph.waits)
  const rowOf = new Map<string, number>()
  for (const id of [...order, ...ring]) {
    const before = [...(graph.waits.get(id) ?? [])].map((each) => rowOf.get(each) ?? -1)
    rowOf.set(id, Math.max(-1, ...before) + 1)
  }
  const rows: Placed[][] = []
  for (const [id, row] of rowOf) {
    const step = graph.steps.get(id)
    if (step) (rows[row] ??= []).push(boxOf(graph, step, seen))
  }
  return stacked(rows)
}

function boxOf(graph: PlanGraph, step: PlanStep, seen: Set<string>): Placed {
  const inner = placed(graph, step.id, seen)
  const isFrame = inner.boxes.length > 0
  const width = isFrame ? inner.width + 2 * size.frame : size.width
  const height = isFrame ? inner.height + size.heading + size.frame : size.height
  const own: PlanBox = { step, x: 0, y: 0, width, height, isFrame }
  return { boxes: [own, ...shifted(inner.boxes, size.frame, size.heading)], width, height }
}

/** Rows below each other, each in the middle. */
function stacked(rows: readonly (readonly Placed[])[]): Placed {
  const widths = rows.map(
    (row) => row.reduce((sum, { width }) => sum + width, 0) + Math.max(0, row.length - 1) * size.gapX,
  )
  const width = Math.max(0, ...widths)
  const boxes: PlanBox[] = []
  let y = 0
  for (const [place, row] of rows.entries()) {
    let x = (width - (widths[place] ?? 0)) / 2
    for (const item of row) {
      boxes.push(...shifted(item.boxes, x, y))
      x += item.width + size.gapX
    }
    y += Math.max(0, ...row.map(({ height }) => height)) + size.gapY
  }
  return { boxes, width, height: Math.max(0, y - size.gapY) }
}

function shifted(boxes: readonly PlanBox[], x: number, y: number): PlanBox[] {
  return boxes.map((box) => ({ ...box, x: box.x + x, y: box.y + y }))
}

function edgesOf(graph: PlanGraph, drawn: ReadonlySet<string>): PlanEdge[] {
  return [...graph.waits].flatMap(([to, before]) =>
    [...before]
      .filter((from) => drawn.has(from) && drawn.has(to))
      .map((from) => ({ from, to, kind: kindOf(graph, from, to) })),
  )
}

function kindOf(graph: PlanGraph, from: string, to: string): PlanEdge['kind'] {
  const branch = graph.under.get(to)?.find(({ condition }) => condition === from)
  if (branch) return branch.holds ? 'yes' : 'no'
  const step = graph.steps.get(to)
  const uses =
    step !== undefined &&
    planStepReferences(step).some((each) => each.kind === 'reference' && each.reference.step === from)
  return uses ? 'uses' : 'after'
}
