/**
 * Owns what the ledger is told of a private conversation: that something was said and done, by whom, when, with which
 * tool and under which rule, and nothing of what it was about. It happens here, before an entry exists: what is once in
 * the ledger stays.
 */
import type { JsonObject, JsonValue, SessionId } from '@countersign/contract'
import type { EntryDraft } from './entry-draft.ts'
import type { Db } from './handles.ts'

export interface Privacy {
  /** Takes the words out of the entries of private sessions, in place. Asks the database once for each session. */
  strip(db: Db, entries: EntryDraft[]): Promise<void>
}

/** A session is private from its first message or never. */
const mostKnown = 10_000

export function createPrivacy(): Privacy {
  const known = new Map<SessionId, boolean>()

  async function learn(db: Db, sessions: readonly SessionId[]): Promise<void> {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'private'])
      .where('id', 'in', [...sessions])
      .execute()
    if (known.size > mostKnown) known.clear()
    for (const row of rows) known.set(row.id, row.private)
  }

  return {
    async strip(db, entries) {
      for (const { session, isPrivate } of entries)
        if (session !== undefined && isPrivate !== undefined) known.set(session, isPrivate)
      const unknown = new Set(entries.flatMap(({ session }) => session ?? []).filter((id) => !known.has(id)))
      if (unknown.size > 0) await learn(db, [...unknown])
      for (const [index, entry] of entries.entries())
        if (entry.session !== undefined && known.get(entry.session)) entries[index] = withoutWords(entry)
    },
  }
}

/** Fields whose text is one of ours: a name, an id, a digest, a kind, a time. */
const ours: ReadonlySet<string> = new Set([
  'approval',
  'argsHash',
  'at',
  'call',
  'calls',
  'code',
  'digest',
  'effect',
  'episode',
  'expires',
  'grant',
  'id',
  'input',
  'key',
  'kind',
  'list',
  'mode',
  'model',
  'nonce',
  'outcome',
  'policy',
  'provider',
  'purpose',
  'reader',
  'rules',
  'seal',
  'started',
  'state',
  'tool',
  'verdict',
])
/** Fields that hold words elsewhere. */
const oursIn: Readonly<Record<string, readonly string[]>> = {
  'effect.outcome': ['result'],
  'run.ended': ['reason'],
}
/** A name of ours is short; whatever is longer was written by somebody. */
const longestName = 200

export function withoutWords(entry: EntryDraft): EntryDraft {
  const own = oursIn[entry.type] ?? []
  const kept = (name: string, value: JsonValue): JsonValue => {
    if (typeof value === 'string')
      return (ours.has(name) || own.includes(name)) && value.length <= longestName ? value : ''
    if (Array.isArray(value)) return value.map((each) => kept(name, each))
    if (typeof value === 'object' && value !== null) return keptObject(value)
    return value
  }
  const keptObject = (data: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(data).map(([name, value]) => [name, kept(name, value as JsonValue)]))
  return { ...entry, data: { ...keptObject(entry.data), private: true } }
}
