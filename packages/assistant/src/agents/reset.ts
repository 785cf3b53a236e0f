/** Owns beginning anew with an agent: its open conversations are archived, and what was said stays searchable. */
import type { OperatorId } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantContext } from '../assistant-context.ts'
import type { Archive } from '../history/archive.ts'
import { assistantId } from './builtin.ts'

const mostSessions = 500

export function createReset(
  { records }: Pick<AssistantContext, 'records'>,
  archive: Pick<Archive, 'archiveBefore'>,
) {
  return async (operator: OperatorId, agent: string, actor: Actor) => {
    const sessions = await records.single(operator, ({ db }) =>
      db
        .selectFrom('sessions')
        .select(['id', 'work'])
        .orderBy('updated_at', 'desc')
        .limit(mostSessions)
        .execute(),
    )
    let conversations = 0
    let ledger = 0
    for (const { id, work } of sessions) {
      if ((work?.agent ?? assistantId) !== agent) continue
      const ended = await archive.archiveBefore(operator, id, 'all', 'asked', { actor })
      if (ended.kind === 'archived') conversations += 1
      ledger = Math.max(ledger, ended.ledger)
    }
    return { conversations, ledger }
  }
}
