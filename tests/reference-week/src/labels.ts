/**
 * Owns what the context of each call is worth in the installed product, by the rules of the kernel: a run begins with
 * the words that it answers and nothing private in its prompt; what a call brings in joins; a file keeps the label that it was
 * written under; a program may read every file; and what was fetched with a secret is private.
 *
 * The labels of the corpus say what a call alone was made from, and join. What was injected does not run, so it brings
 * nothing in.
 */
import { joinLabels, type Label, operatorLabel } from '@countersign/contract'
import type { LabelledCall } from './call.ts'
import type { Part } from './corpus.ts'
import { secretsOf, type ToolOfWeek } from './judge.ts'

export interface LabelledPart extends Part {
  /** What each run is worth after its last call. */
  readonly ends: ReadonlyMap<string, Label>
}

const own: Label = { ...operatorLabel, confidentiality: 'private' }
const starts: Readonly<Record<LabelledCall['requester']['kind'], Label>> = {
  operator: operatorLabel,
  schedule: operatorLabel,
  peer: { integrity: 'paired', confidentiality: 'private', sources: [] },
  webhook: { integrity: 'untrusted', confidentiality: 'private', sources: ['webhook'] },
}

export function labelledAsInstalled(
  part: Part,
  tool: (name: string) => ToolOfWeek | undefined,
): LabelledPart {
  const marks = new Map<string, Label>()
  const labels = new Map<string, Label>()
  const ends = new Map<string, Label>()
  for (const [run, calls] of Map.groupBy(part.calls, (call) => call.run)) {
    const [first] = calls
    if (!first) continue
    let label = starts[first.requester.kind]
    for (const turn of Map.groupBy(calls, (call) => call.turn).values()) {
      for (const call of turn) labels.set(call.id, call.injected ? joinLabels(call.label, label) : label)
      const before = label
      for (const call of turn) {
        const known = tool(call.tool)
        if (call.injected || call.refused !== null || !known) continue
        const output = outputOf(call, known)
        label = [output, ...marksRead(call, marks)].reduce(joinLabels, label)
        keep(call, joinLabels(before, output), marks)
      }
    }
    ends.set(run, label)
  }
  const calls = part.calls.map((call) => ({ ...call, label: labels.get(call.id) ?? call.label }))
  return { ...part, calls, ends }
}

function outputOf(call: LabelledCall, { output }: ToolOfWeek): Label {
  return secretsOf(call).length === 0 ? output : joinLabels(output, own)
}

function marksRead({ resources }: LabelledCall, marks: ReadonlyMap<string, Label>): Label[] {
  const moves = resources.some((resource) => resource.type === 'file' && resource.op === 'write')
  const scopes = resources.flatMap((resource) => {
    if (resource.type === 'exec') return ['.']
    if (resource.type !== 'file' || resource.root !== 'workspace') return []
    const looks = resource.op === 'read' || resource.op === 'list'
    return looks || (moves && resource.op === 'delete') ? [resource.path] : []
  })
  return [...marks].flatMap(([path, label]) => (scopes.some((scope) => isWithin(path, scope)) ? [label] : []))
}

function keep({ resources }: LabelledCall, label: Label, marks: Map<string, Label>): void {
  for (const resource of resources) {
    if (resource.type !== 'file' || resource.root !== 'workspace') continue
    if (resource.op !== 'write' && resource.op !== 'delete') continue
    if (label.integrity === 'untrusted') marks.set(resource.path, label)
    else marks.delete(resource.path)
  }
}

function isWithin(path: string, scope: string): boolean {
  return scope === '.' || path === scope || path.startsWith(`${scope}/`) || scope.startsWith(`${path}/`)
}
