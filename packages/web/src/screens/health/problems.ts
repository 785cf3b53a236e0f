/** Owns which problems the state of the gateway shows, worst first. Pure. */
import type { Status } from '@countersign/contract'

export type Problem =
  | { readonly kind: 'model'; readonly detail: string; readonly provider: string }
  | { readonly kind: 'paused' | 'held' | 'disk'; readonly detail: string }

const littleBytes = 5 * 2 ** 30

export function problemsOf({ model, paused, held, disk }: Status): readonly Problem[] {
  const problems: Problem[] = []
  if (!model.ok && model.provider !== 'none')
    problems.push({ kind: 'model', detail: model.problem ?? '', provider: model.provider })
  if (paused !== null) problems.push({ kind: 'paused', detail: paused.by })
  if (held !== null) problems.push({ kind: 'held', detail: held.because })
  // Zero means that it was not counted.
  if (disk.free > 0 && disk.free < littleBytes) problems.push({ kind: 'disk', detail: '' })
  return problems
}
