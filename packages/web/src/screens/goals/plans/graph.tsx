/** A plan as a picture: its steps, what each waits for and why, and where each stands. */
import type { PlanDetail, PlanStep, PlanStepState } from '@countersign/contract'
import { useId } from 'react'
import { Chip, classes, Mono, Safe, type Tone } from '../../../kit/index.ts'
import { words } from '../../../words/plans.tsx'
import { type PlanBox, type PlanEdge, planLayout } from './layout.ts'

export const stateTones: Readonly<Record<PlanStepState['state'], Tone>> = {
  later: 'plain',
  ready: 'plain',
  running: 'act',
  waits: 'waiting',
  done: 'ok',
  failed: 'bad',
  skipped: 'plain',
  dropped: 'plain',
}

export function PlanGraph({ detail }: { detail: Pick<PlanDetail, 'plan' | 'states'> }) {
  const { boxes, edges, width, height } = planLayout(detail.plan.steps)
  const stateOf = new Map(detail.states.map((state) => [state.step, state]))
  return (
    <figure>
      <div
        // Wide plans scroll; the keyboard can too.
        tabIndex={0}
        role="group"
        aria-label={words.graph}
        className="overflow-x-auto rounded-2 border border-line bg-paper p-4"
      >
        <div className="relative mx-auto" style={{ width, height }}>
          <Frames boxes={boxes} />
          <Edges edges={edges} boxes={boxes} width={width} height={height} />
          <ol>
            {boxes
              .filter(({ isFrame }) => !isFrame)
              .map((box) => (
                <StepBox key={box.step.id} box={box} state={stateOf.get(box.step.id)} />
              ))}
          </ol>
        </div>
      </div>
      <Legend kinds={new Set(edges.map(({ kind }) => kind))} />
    </figure>
  )
}

function placeOf({ x, y, width, height }: PlanBox) {
  return { left: x, top: y, width, height }
}

function Frames({ boxes }: { boxes: readonly PlanBox[] }) {
  return boxes
    .filter(({ isFrame }) => isFrame)
    .map((box) => (
      <div
        key={box.step.id}
        className="absolute rounded-2 border border-dashed border-line-strong bg-well/40 px-3 py-1.5 text-small"
        style={placeOf(box)}
      >
        <Safe text={box.step.name} className="font-medium" />{' '}
        <span className="text-ink-3">{whatOf(box.step)}</span>
      </div>
    ))
}

function StepBox({ box, state }: { box: PlanBox; state: PlanStepState | undefined }) {
  const shown = state?.state ?? 'later'
  const what = whatOf(box.step)
  return (
    <li
      className={classes(
        'absolute flex flex-col justify-center rounded-2 border bg-sheet px-3',
        shown === 'running' ? 'border-act' : shown === 'waits' ? 'hatched border-t2' : 'border-line-strong',
      )}
      style={placeOf(box)}
    >
      <span className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium" title={box.step.name}>
          <Safe text={box.step.name} />
        </span>
        {shown === 'later' ? null : <Chip tone={stateTones[shown]}>{words.states[shown]}</Chip>}
      </span>
      <span className="truncate text-small text-ink-3">
        {box.step.type === 'tool_call' ? <Mono text={what} className="bg-transparent px-0" /> : what}
      </span>
    </li>
  )
}

function Edges({
  edges,
  boxes,
  width,
  height,
}: {
  edges: readonly PlanEdge[]
  boxes: readonly PlanBox[]
  width: number
  height: number
}) {
  const arrow = useId()
  const byId = new Map(boxes.map((box) => [box.step.id, box]))
  return (
    <svg
      aria-hidden
      width={width}
      height={height}
      className="pointer-events-none absolute inset-0 overflow-visible text-edge"
    >
      <defs>
        <marker id={arrow} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0 L8 4 L0 8 z" fill="currentColor" />
        </marker>
      </defs>
      {edges.map((edge) => {
        const [from, to] = [byId.get(edge.from), byId.get(edge.to)]
        return from && to ? (
          <EdgeLine key={`${edge.from} ${edge.to}`} edge={edge} from={from} to={to} arrow={arrow} />
        ) : null
      })}
    </svg>
  )
}

function EdgeLine({
  edge: { kind },
  from,
  to,
  arrow,
}: {
  edge: PlanEdge
  from: PlanBox
  to: PlanBox
  arrow: string
}) {
  const [x1, y1] = [from.x + from.width / 2, from.y + from.height]
  const [x2, y2] = [to.x + to.width / 2, to.y - 2]
  const bend = Math.max(16, (y2 - y1) / 2)
  return (
    <g>
      <path
        d={`M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeDasharray={kind === 'uses' ? '4 4' : undefined}
        markerEnd={`url(#${arrow})`}
      />
      {kind === 'yes' || kind === 'no' ? (
        <text
          x={(x1 + x2) / 2}
          y={(y1 + y2) / 2 + 4}
          textAnchor="middle"
          className="fill-ink stroke-paper text-small font-medium [paint-order:stroke] [stroke-width:4px]"
        >
          {words.edges[kind]}
        </text>
      ) : null}
    </g>
  )
}

function Legend({ kinds }: { kinds: ReadonlySet<PlanEdge['kind']> }) {
  if (kinds.size === 0) return null
  return (
    <figcaption className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1 text-small text-ink-3">
      {kinds.has('after') ? <LegendItem dashed={false} label={words.legend.after} /> : null}
      {kinds.has('uses') ? <LegendItem dashed label={words.legend.uses} /> : null}
      {kinds.has('yes') || kinds.has('no') ? (
        <span>
          <span className="font-medium text-ink-2">
            {words.edges.yes}/{words.edges.no}
          </span>{' '}
          {words.legend.branch}
        </span>
      ) : null}
    </figcaption>
  )
}

function LegendItem({ dashed, label }: { dashed: boolean; label: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg aria-hidden width={24} height={8} className="text-edge">
        <path
          d="M0 4 H24"
          stroke="currentColor"
          strokeWidth={1.5}
          strokeDasharray={dashed ? '4 4' : undefined}
        />
      </svg>
      {label}
    </span>
  )
}

export function whatOf(step: PlanStep): string {
  switch (step.type) {
    case 'tool_call':
      return step.tool
    case 'loop':
      return step.count === undefined ? words.kinds.forEach : words.kinds.rounds(step.count)
    default:
      return words.kinds[step.type]
  }
}
