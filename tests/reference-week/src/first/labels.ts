/**
 * Owns what the context of each call of the first corpus is worth in the installed product, by the rules of the kernel:
 * what a run is told before its first call, what a call brings in, what files remember, and what was fetched with a
 * secret.
 *
 * The labels of the corpus say what a call alone was made from, and join. What was injected does not run, so it brings
 * nothing in. A program may have read every file.
 */
import { joinLabels, type Label, operatorLabel } from '@countersign/contract'
import { labelOfFiles, scopesOf, writtenBy } from '@countersign/kernel/file-labels'
import type { JudgedCall } from '../call.ts'
import { labelsAtStart } from '../installed.ts'
import { secretsOf, type ToolOfWeek } from '../judge.ts'
import type { Part } from './corpus.ts'
import type { LabelledCall } from './labelled-call.ts'

export interface LabelledPart {
  readonly calls: readonly JudgedCall[]
  /** What each run is worth after its last call. */
  readonly ends: ReadonlyMap<string, Label>
}

const ofSecret: Label = { ...operatorLabel, confidentiality: 'private' }

export async function labelledAsInstalled(
  part: Part,
  tool: (name: string) => ToolOfWeek | undefined,
): Promise<LabelledPart> {
  const labelAtStart = labelsAtStart({ name: part.person.name, goals: [], memories: [] })
  const marks = new Map<string, Label>()
  const labels = new Map<string, Label>()
  const ends = new Map<string, Label>()
  for (const [run, calls] of Map.groupBy(part.calls, (call) => call.run)) {
    const [first] = calls
    if (!first) continue
    const { requester } = first
    let label = await labelAtStart({ requester, agent: 'assistant', work: null, leased: false })
    for (const turn of Map.groupBy(calls, (call) => call.turn).values()) {
      for (const call of turn) labels.set(call.id, call.injected ? joinLabels(call.label, label) : label)
      const before = label
      for (const call of turn) {
        const known = tool(call.tool)
        if (call.injected || call.refused !== null || !known) continue
        const output = outputOf(call, known)
        label = joinLabels(joinLabels(label, output), readBy(call, marks) ?? output)
        keep(call, joinLabels(before, output), marks)
      }
    }
    ends.set(run, label)
  }
  const calls = part.calls.map((call) => ({
    ...call,
    session: call.run,
    label: labels.get(call.id) ?? call.label,
  }))
  return { calls, ends }
}

function outputOf(call: LabelledCall, { output }: ToolOfWeek): Label {
  return secretsOf(call).length === 0 ? output : joinLabels(output, ofSecret)
}

const touchedBy = ({ resources }: LabelledCall) => ({ resources, sandbox: '' })

function readBy(call: LabelledCall, marks: ReadonlyMap<string, Label>): Label | null {
  const known = [...marks].map(([path, label]) => ({ path, label }))
  return labelOfFiles(scopesOf(touchedBy(call), { found: [], changed: [] }), { marks: known, own: [] })
}

function keep(call: LabelledCall, label: Label, marks: Map<string, Label>): void {
  for (const path of writtenBy(touchedBy(call)))
    if (label.integrity === 'untrusted') marks.set(path, label)
    else marks.delete(path)
}
