/**
 * Owns how proposed calls become rows: what is canonical waits to be judged, what is not has already ended, and a
 * call that stands for several waits for them.
 */
import { idFrom, type Label, type Origin, type Requester, type ToolCatalogue } from '@countersign/contract'
import { storable } from '../store/store.ts'
import type { CallRow, NewCall } from './calls.ts'
import { type PreparedOne, type ProposedCall, prepare } from './prepare.ts'

export interface ModelCall extends ProposedCall {
  readonly modelId: string
  /** Why it cannot even be looked at. */
  readonly problem?: string | undefined
}

export interface Place {
  readonly uuid: () => string
  /** The position of the first row; those that follow take the next ones. */
  readonly first: number
  readonly parent?: CallRow
}

export function proposalsOf(calls: readonly ModelCall[], catalogue: ToolCatalogue, place: Place): NewCall[] {
  const rows: NewCall[] = []
  const add = (call: Omit<NewCall, 'id' | 'position'>) => {
    const row = { ...call, id: idFrom('call', place.uuid()), position: place.first + rows.length }
    rows.push(row)
    return row
  }
  for (const call of calls) {
    const prepared: ReturnType<typeof prepare> =
      call.problem === undefined
        ? prepare(call, catalogue)
        : { kind: 'invalid', tool: call.tool, reason: call.problem }
    const parent = place.parent?.id ?? null
    const requester = place.parent?.requester ?? null
    if (prepared.kind !== 'many') {
      add({ ...written(call), parent, ...outcomeOf(prepared, requester) })
      continue
    }
    const { tool, headline } = prepared
    const whole = { tool: tool.name, args: '', headline, state: 'waiting' as const, invalid: null }
    const one = add({ ...written(call), parent, requester, ...whole, origin: null })
    for (const inner of prepared.calls) {
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

function outcomeOf(prepared: PreparedOne, requester: Requester | null) {
  if (prepared.kind === 'invalid') {
    const tool = storable(prepared.tool)
    const ended = { state: 'ended' as const, invalid: storable(prepared.reason), origin: null }
    return { tool, args: '', headline: tool, requester, ...ended }
  }
  const { tool, args, headline, origin } = prepared.call
  const proposed = { state: 'proposed' as const, invalid: null, origin }
  return { tool: tool.name, args, headline, requester: requester ?? creatorOf(origin), ...proposed }
}

/** A tool can do no more than its maker could: what it calls is judged for the maker, unless that is the operator. */
function creatorOf(origin: Origin | null): Requester | null {
  return origin && origin.creator.kind !== 'operator' ? origin.creator : null
}
