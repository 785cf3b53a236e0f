/** Owns writing the ledger: redacted canonical entries, in the transaction of the state that they describe. */
import { canonicalText, type JsonObject } from '@countersign/contract'
import { sql } from 'kysely'
import type { Redactor } from '../secrets/redactor.ts'
import type { Closer, EntryDraft } from '../store/store.ts'
import { leafHash } from './tree.ts'

export interface AppendOptions {
  readonly redactor: Redactor
  /** Tells entries of one start of the gateway from those of another. */
  readonly boot: string
  /** Told after the commit, so that a checkpoint can follow. */
  readonly appended: (operator: string, last: number, urgent: boolean) => void
}

export function createAppender(options: AppendOptions): Closer {
  return async (closing) => {
    if (closing.entries.length === 0) return
    const at = closing.now.toISOString()
    const rows = closing.entries.map((draft, index) => {
      const seq = closing.firstEntry + index
      const body = bodyOf(
        draft,
        { seq, at, boot: options.boot, operator: closing.operator },
        options.redactor,
      )
      return { seq, draft, body, leaf: Buffer.from(leafHash(Buffer.from(body))) }
    })
    await sql`
      insert into ledger_entries (operator_id, seq, type, run_id, call_id, approval_id, body, leaf)
      select ${closing.operator}, * from unnest(
        ${rows.map((row) => row.seq)}::bigint[],
        ${rows.map((row) => row.draft.type)}::text[],
        ${rows.map((row) => row.draft.run ?? null)}::text[],
        ${rows.map((row) => row.draft.call ?? null)}::text[],
        ${rows.map((row) => row.draft.approval ?? null)}::text[],
        ${rows.map((row) => row.body)}::text[],
        ${rows.map((row) => row.leaf)}::bytea[])`.execute(closing.db)
    const urgent = closing.entries.some(isUrgent)
    closing.afterCommit(() =>
      options.appended(closing.operator, closing.firstEntry + rows.length - 1, urgent),
    )
  }
}

function bodyOf(
  draft: EntryDraft,
  frame: { seq: number; at: string; boot: string; operator: string },
  redactor: Redactor,
): string {
  const entry: JsonObject = {
    v: 1,
    ...frame,
    type: draft.type,
    actor: { kind: draft.actor.kind, id: draft.actor.id },
    data: redactor.json(draft.data),
  }
  for (const name of ['session', 'run', 'call', 'approval'] as const) {
    const id = draft[name]
    if (id !== undefined) entry[name] = id
  }
  return canonicalText(entry)
}

/** What an operator would want signed at once: the end of an effect that others see or that cannot be undone. */
function isUrgent(draft: EntryDraft): boolean {
  return draft.type === 'effect.outcome' && Number(draft.data['tier'] ?? 0) >= 3
}
