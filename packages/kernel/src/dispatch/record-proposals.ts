/**
 * Owns how proposed calls become rows: what is canonical waits to be authorized, what is not has already ended, and a
 * call that stands for several waits for them.
 */
import { idFrom, type Label, type Origin, type Requester, type ToolCatalogue } from '@countersign/contract'
import { storable } from '../store/store.ts'
import type { CallRow, NewCall } from './call-rows.ts'
import {
  canonicalize,
  canonicalizeOwn,
  type ProposedCall,
  type SingleCanonicalResult,
} from './canonicalize.ts'

export interface ModelCall extends ProposedCall {
  readonly modelId: string
  /** Why it cannot even be looked at. */
  readonly problem?: string | undefined
}

export interface ProposalPosition {
  readonly uuid: () => string
  /** The position of the first row; those that follow take the next ones. */
  readonly first: number
  readonly parent?: CallRow
  /** The operator or the product itself wrote the calls; a model did unless it says so. */
  readonly by?: 'operator' | 'product'
}

export function proposalRows(
  calls: readonly ModelCall[],
  catalogue: ToolCatalogue,
  position: ProposalPosition,
): NewCall[] {
  const rows: NewCall[] = []
  const add = (call: Omit<NewCall, 'id' | 'position'>) => {
    const row = { ...call, id: idFrom('call', position.uuid()), position: position.first + rows.length }
    rows.push(row)
    return row
  }
  for (const call of calls) {
    const canonicalized: ReturnType<typeof canonicalize> =
      call.problem === undefined
        ? position.by === 'product'
          ? canonicalizeOwn(call, catalogue)
          : canonicalize(call, catalogue, position.by)
        : { kind: 'invalid', tool: call.tool, reason: call.problem }
    const parent = position.parent?.id ?? null
    const requester = position.parent?.requester ?? null
    if (canonicalized.kind !== 'many') {
      add({ ...written(call), parent, ...outcomeOf(canonicalized, requester) })
      continue
    }
    const { tool, headline } = canonicalized
    const whole = { tool: tool.name, args: '', headline, state: 'waiting' as const, invalid: null }
    const one = add({ ...written(call), parent, requester, ...whole, origin: null })
    for (const inner of canonicalized.calls) {
      const raw = written({ ...inner.proposed, modelId: call.modelId })
      add({ ...raw, parent: one.id, ...outcomeOf(inner, requester) })
    }
  }
  return rows
}

/** What the tools that were called bring with them by being what they are. */
export function originLabels(calls: readonly NewCall[]): Label[] {
  return calls.flatMap((call) => (call.origin ? [call.origin.label] : []))
}

function written(call: ModelCall) {
  return { modelId: storable(call.modelId), modelTool: storable(call.tool), rawArgs: storable(call.args) }
}

function outcomeOf(canonicalized: SingleCanonicalResult, requester: Requester | null) {
  if (canonicalized.kind === 'invalid') {
    const tool = storable(canonicalized.tool)
    const ended = { state: 'ended' as const, invalid: storable(canonicalized.reason), origin: null }
    return { tool, args: '', headline: tool, requester, ...ended }
  }
  const { tool, args, headline, origin } = canonicalized.call
  const proposed = { state: 'proposed' as const, invalid: null, origin }
  return { tool: tool.name, args, headline, requester: requester ?? creatorOf(origin), ...proposed }
}

/** A tool can do no more than its maker could: what it calls is authorized for the maker, unless that is the operator. */
function creatorOf(origin: Origin | null): Requester | null {
  return origin && origin.creator.kind !== 'operator' ? origin.creator : null
}
