/** A run as a graph: what was asked, each turn, its calls, and the calls that those made. */
import { words } from '../../words/activity.tsx'
import '@xyflow/react/dist/style.css'
import type { CallView, RunDetail } from '@countersign/contract'
import { Background, Controls, type Edge, type Node, ReactFlow } from '@xyflow/react'
import type { CSSProperties } from 'react'

const labels = {
  'controls.ariaLabel': words.graph.controls,
  'controls.zoomIn.ariaLabel': words.graph.zoomIn,
  'controls.zoomOut.ariaLabel': words.graph.zoomOut,
  'controls.fitView.ariaLabel': words.graph.fit,
}

/** The graph has colours of its own; these are those of the page, in either theme. */
const colours = {
  '--xy-background-color': 'var(--sheet)',
  '--xy-background-pattern-color': 'var(--line)',
  '--xy-node-background-color': 'var(--paper)',
  '--xy-node-color': 'var(--ink)',
  '--xy-node-border': '1px solid var(--line-strong)',
  '--xy-edge-stroke': 'var(--ink-3)',
  '--xy-controls-button-background-color': 'var(--sheet)',
  '--xy-controls-button-background-color-hover': 'var(--paper)',
  '--xy-controls-button-color': 'var(--ink)',
  '--xy-controls-button-color-hover': 'var(--ink)',
  '--xy-controls-button-border-color': 'var(--line)',
  '--xy-attribution-background-color': 'transparent',
} as CSSProperties

const step = { across: 250, down: 76 }

export default function Graph({ detail }: { detail: RunDetail }) {
  const { nodes, edges } = graphOf(detail)
  return (
    <div className="h-[60dvh] rounded-2 border border-line bg-sheet">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        fitView
        nodesDraggable={false}
        nodesConnectable={false}
        style={colours}
        aria-label={words.graph.label}
        ariaLabelConfig={labels}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

/** Turns from left to right, the calls of a turn below each other, calls of calls one further to the right. */
export function graphOf({ run, calls }: RunDetail): { nodes: Node[]; edges: Edge[] } {
  const nodes: Node[] = [nodeOf('asked', run.asked || words.graph.message, 0, 0)]
  const edges: Edge[] = []
  const column = new Map<string, number>()
  const rows = new Map<number, number>()
  let before: string[] = ['asked']
  const turns = Map.groupBy(calls, (call) => call.turn)
  let base = 1
  for (const [, made] of [...turns].toSorted(([a], [b]) => a - b)) {
    const tops: string[] = []
    let deepest = base
    for (const call of made) {
      const at = call.parent === null ? base : (column.get(call.parent) ?? base) + 1
      column.set(call.id, at)
      deepest = Math.max(deepest, at)
      const row = rows.get(at) ?? 0
      rows.set(at, row + 1)
      nodes.push(nodeOf(call.id, labelOf(call), at * step.across, row * step.down))
      if (call.parent === null) {
        tops.push(call.id)
        for (const from of before) edges.push({ id: `${from} ${call.id}`, source: from, target: call.id })
      } else edges.push({ id: `${call.parent} ${call.id}`, source: call.parent, target: call.id })
    }
    if (tops.length > 0) before = tops
    base = deepest + 1
  }
  nodes.push(nodeOf('end', run.reason ?? run.state, base * step.across, 0))
  for (const from of before) edges.push({ id: `${from} end`, source: from, target: 'end' })
  return { nodes, edges }
}

function labelOf(call: CallView): string {
  return `${call.tool}${call.outcome === null || call.outcome === 'ok' ? '' : ` (${call.outcome})`}`
}

function nodeOf(id: string, label: string, x: number, y: number): Node {
  return {
    id,
    position: { x, y },
    data: { label: label.slice(0, 80) },
    sourcePosition: 'right' as never,
    targetPosition: 'left' as never,
  }
}
