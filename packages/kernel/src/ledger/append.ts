/** Owns the text of ledger entries: redacted, canonical, and ready for the number that the commit gives them. */
import { canonicalText, type JsonObject, type OperatorId } from '@countersign/contract'
import type { Redactor } from '@countersign/contract/node'
import type { CommitHook, EntryDraft, UnnumberedEntry } from '../store/store.ts'

export interface AppendOptions {
  readonly redactor: Redactor
  /** Tells entries of one start of the gateway from those of another. */
  readonly boot: string
  /** Told after the commit, so that a checkpoint can follow and whoever listens can read on. */
  readonly appended: (operator: OperatorId, last: number, urgent: boolean, hasEvents: boolean) => void
}

export function createAppender(options: AppendOptions): CommitHook<UnnumberedEntry> {
  return {
    prepare({ entries, operator, now }) {
      const frame = { at: now.toISOString(), boot: options.boot, operator }
      return entries.map((draft) => unnumbered(draft, frame, options.redactor))
    },
    committed({ entries, events, operator, firstEntry }) {
      const last = firstEntry + entries.length - 1
      options.appended(operator, last, entries.some(isUrgent), events.length > 0)
    },
  }
}

/** Keys stand in canonical order: everything in the head sorts before `seq`, everything in the tail after it. */
function unnumbered(
  draft: EntryDraft,
  frame: { at: string; boot: string; operator: string },
  redactor: Redactor,
): UnnumberedEntry {
  const head: JsonObject = {
    ...frame,
    actor: { kind: draft.actor.kind, id: draft.actor.id },
    data: redactor.json(draft.data),
  }
  for (const name of ['approval', 'call', 'run'] as const) {
    const id = draft[name]
    if (id !== undefined) head[name] = id
  }
  const tail: JsonObject = { type: draft.type, v: 1 }
  if (draft.session !== undefined) tail['session'] = draft.session
  return { head: `${canonicalText(head).slice(0, -1)},"seq":`, tail: `,${canonicalText(tail).slice(1)}` }
}

/** What an operator would want signed at once: the end of an effect that others see or that cannot be undone. */
function isUrgent(draft: EntryDraft): boolean {
  return draft.type === 'effect.outcome' && Number(draft.data['tier'] ?? 0) >= 3
}
