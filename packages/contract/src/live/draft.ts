/**
 * Owns how the live state is changed without changing it: a record is copied the first time that something in it is set,
 * so that one event copies little and many events in a row copy once.
 */
import type { LiveState } from './state.ts'

/** A record that is being changed. Whoever has the one that it began from sees nothing of it. */
export interface ChangingRecord<Id extends string, Value> {
  get(id: Id): Value | undefined
  set(id: Id, value: Value): void
  remove(id: Id): void
  values(): Value[]
  /** The same object where nothing was changed. */
  record(): Record<Id, Value>
}

type RecordName = 'approvals' | 'questions' | 'runs' | 'threads'

/** The records are changed through what they offer, everything else is replaced in `rest`. */
export type Draft = { readonly [Name in RecordName]: ChangingOf<LiveState[Name]> } & {
  rest: Omit<LiveState, RecordName>
}

type ChangingOf<Of> =
  Of extends Record<infer Id extends string, infer Value> ? ChangingRecord<Id, Value> : never

export function openDraft(state: LiveState): Draft {
  const { approvals, questions, runs, threads, ...rest } = state
  return {
    approvals: changing(approvals),
    questions: changing(questions),
    runs: changing(runs),
    threads: changing(threads),
    rest,
  }
}

export function closeDraft(draft: Draft): LiveState {
  return {
    ...draft.rest,
    approvals: draft.approvals.record(),
    questions: draft.questions.record(),
    runs: draft.runs.record(),
    threads: draft.threads.record(),
  }
}

/**
 * Leaves at most so many, those with the highest rank. The rank decides and not the order of the keys, because a state
 * that was sent may have another one.
 */
export function keepHighest<Value>(
  values: readonly Value[],
  most: number,
  rank: (value: Value) => number | string,
  remove: (value: Value) => void,
): void {
  if (values.length <= most) return
  const leaving = values.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, values.length - most)
  for (const value of leaving) remove(value)
}

function changing<Id extends string, Value>(base: Record<Id, Value>): ChangingRecord<Id, Value> {
  let copy: Record<Id, Value> | null = null
  const current = () => copy ?? base
  const own = () => {
    copy ??= { ...base }
    return copy
  }
  return {
    get: (id) => (Object.hasOwn(current(), id) ? current()[id] : undefined),
    set(id, value) {
      own()[id] = value
    },
    remove(id) {
      if (Object.hasOwn(current(), id)) delete own()[id]
    },
    values: () => Object.values(current()),
    record: current,
  }
}
