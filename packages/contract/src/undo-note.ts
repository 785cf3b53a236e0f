/** Owns the note that stands in a conversation where the operator took something back, and how it is read again. Pure. */
import type { CallId, RunId } from './ids.ts'

export interface UndoNote {
  readonly run: RunId
  /** In the order in which they are taken back. */
  readonly calls: readonly CallId[]
}

const beginning = 'Note of Countersign: the operator took back what '

/** Names the calls by what the product itself gave them: a headline holds words of a model. */
export function undoNoteText(
  run: RunId,
  calls: readonly { readonly id: CallId; readonly tool: string }[],
): string {
  const what = calls.map(({ id, tool }) => `${tool} (${id})`)
  return `${beginning}${run} did: ${what.join(', ')}.`
}

/** Null for any other text. */
export function readUndoNote(text: string): UndoNote | null {
  if (!text.startsWith(beginning)) return null
  const run = /^run_\w+/.exec(text.slice(beginning.length))?.[0]
  const calls = [...text.matchAll(/\((call_\w+)\)/g)].map(([, call]) => call as CallId)
  return run === undefined || calls.length === 0 ? null : { run: run as RunId, calls }
}
