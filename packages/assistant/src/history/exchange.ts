/**
 * Owns the file that a conversation travels in, out and in. Out go words, labels and what was done, without secrets. In
 * come words only: untrusted, unless the operator vouches for them, and never anything that could be run.
 */
import {
  type ConversationExport,
  CountersignError,
  exportFormat,
  type ImportSession,
  joinLabels,
  type Label,
  operatorLabel,
  type SessionId,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantTransaction } from '../assistant-context.ts'
import { copiedMessages, endedMessageOf, type MadeSession } from './copy.ts'
import { historyDb } from './tables.ts'
import { noSession } from './thread.ts'

export type Redact = (text: string) => string

export const importLabel: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['import'] }

/** Clocks differ a little. */
const aheadMs = 5 * 60_000

export async function exportSession(
  tx: Pick<AssistantTransaction, 'db' | 'now'>,
  session: SessionId,
  redact: Redact,
): Promise<ConversationExport> {
  const db = historyDb(tx.db)
  const found = await db
    .selectFrom('sessions')
    .select(['title', 'created_at', 'label'])
    .where('id', '=', session)
    .executeTakeFirst()
  if (!found) throw noSession(session)
  const messages = await copiedMessages(db, session)
  return {
    format: exportFormat,
    version: 1,
    exportedAt: tx.now.toISOString(),
    session: {
      title: redact(found.title),
      createdAt: found.created_at.toISOString(),
      label: redactedLabel(found.label, redact),
    },
    messages: messages.map(({ at, role, text, label, activity }) => ({
      at: at.toISOString(),
      role,
      text: redact(text),
      label: redactedLabel(label, redact),
      activity: activity.map((each) => ({
        ...each,
        headline: redact(each.headline),
        summary: redact(each.summary),
      })),
    })),
  }
}

export async function importSession(
  tx: AssistantTransaction,
  { conversation, mine, title }: ImportSession,
  options: { readonly actor: Actor; readonly redact: Redact; readonly uuid: () => string },
): Promise<MadeSession> {
  const { actor, redact, uuid } = options
  if (conversation.messages.length === 0)
    throw new CountersignError('usage', 'The file has no messages.', {
      next: 'Export a conversation that has some, with `countersign session export`.',
    })
  const latest = tx.now.getTime() + aheadMs
  const ahead = conversation.messages.findIndex(({ at }) => Date.parse(at) > latest)
  if (ahead >= 0)
    throw new CountersignError('usage', `Message ${ahead + 1} was written in the future.`, {
      next: 'Correct its time in the file, or the clock of this host.',
    })
  // A file may say that it is worth less than the operator vouches for, never more than it is.
  const worth = (label: Label) => joinLabels(mine ? operatorLabel : importLabel, label)
  const messages = conversation.messages.map(({ at, role, text, label, activity }) =>
    endedMessageOf({
      role,
      text: redact(text),
      label: worth(label),
      at: new Date(at),
      activity: activity.map((each) => ({
        ...each,
        headline: redact(each.headline),
        summary: redact(each.summary),
      })),
    }),
  )
  const name = title ?? (redact(conversation.session.title).slice(0, 200) || 'Imported conversation')
  const { session, run } = await tx.sessions.importEnded(
    {
      title: name,
      label: messages.reduce(
        (joined, { label }) => joinLabels(joined, label),
        worth(conversation.session.label),
      ),
      work: null,
      agent: 'assistant',
      goal: null,
      messages,
      archived: 0,
      by: actor.id,
      because: 'Imported from a file.',
    },
    uuid,
  )
  await historyDb(tx.db)
    .insertInto('session_origins')
    .values({
      operator_id: tx.operator,
      session_id: session,
      kind: 'import',
      forked_from: null,
      up_to: null,
      at: tx.now,
    })
    .execute()
  tx.record({
    type: 'session.imported',
    actor,
    session,
    run,
    data: { messages: messages.length, mine },
  })
  return { session, title: name, messages: messages.length }
}

function redactedLabel(label: Label, redact: Redact): Label {
  return { ...label, sources: label.sources.map((source) => redact(source).slice(0, 300)) }
}
