/** Owns which tools an agent has in one conversation besides its own. Only the operator gives them. */
import type { SessionId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'

export async function extraToolsOf(db: LimitedDb, session: SessionId | null): Promise<readonly string[]> {
  if (session === null) return []
  const row = await db
    .selectFrom('sessions')
    .select('extra_tools')
    .where('id', '=', session)
    .executeTakeFirst()
  return row?.extra_tools ?? []
}
