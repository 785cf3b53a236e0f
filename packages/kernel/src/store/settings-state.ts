/**
 * Owns the state of the operator's settings as a part of a statement: another text for every other state. A transaction
 * that reads something anyway says with it whether what is kept of the settings still holds.
 */
import { type RawBuilder, sql } from 'kysely'

export type SettingsState = RawBuilder<string>

/** Of the settings in these collections of records. */
export function settingsState(collections: readonly string[]): SettingsState {
  return sql<string>`coalesce((
    select md5(string_agg(concat_ws('/', collection, id, version, updated_at), ',' order by collection, id))
    from records where collection = any(${collections})), '')`
}
