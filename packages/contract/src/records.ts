/** Owns the port to the records that Countersign keeps for its operator. One table, many collections, each with its own shape. */
import type { JsonObject } from './json/value.ts'
import type { Label } from './trust.ts'

export interface StoredRecord {
  readonly id: string
  readonly data: JsonObject
  /** What led to the content, where that is worth less than what the operator keeps anyway. Reading it taints. */
  readonly label: Label | null
  /** Raised by one with each change, also by a change that puts an earlier state back. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

export type Scalar = string | number | boolean

export interface RecordQuery {
  /** Fields that must be equal. */
  readonly where?: Readonly<Record<string, Scalar>>
  /** Text fields whose value must lie between the two, each end included if given. */
  readonly between?: { readonly field: string; readonly from?: string; readonly to?: string }
  /** A field that is a list and must hold this. */
  readonly holds?: { readonly field: string; readonly value: string }
  /** Words that must all occur in the fields, texts or lists of texts, whatever their case. */
  readonly search?: { readonly text: string; readonly fields: readonly string[] }
  /**
   * The default is the newest first. `createdAt` and `updatedAt` are fields as well. Numbers come before texts, texts
   * whatever their case, and what has no value comes last in either direction.
   */
  readonly order?: readonly { readonly field: string; readonly direction: 'up' | 'down' }[]
  readonly limit: number
  readonly offset?: number
}

export interface RecordPage {
  readonly records: readonly StoredRecord[]
  /** How many there are without limit and offset. */
  readonly total: number
}

/**
 * The records of one operator within one transaction. Text comes back as it went in, but for the zero character and
 * halves of characters, which become U+FFFD. A change names the version that it was made on and fails with `conflict`
 * when the record is another by now, and with `not_found` when it is gone.
 */
export interface Records {
  get(collection: string, id: string): Promise<StoredRecord | undefined>
  list(collection: string, query: RecordQuery): Promise<RecordPage>
  /** Fails with `conflict` if the id is taken. */
  insert(collection: string, id: string, data: JsonObject, label: Label | null): Promise<StoredRecord>
  replace(
    collection: string,
    id: string,
    version: number,
    data: JsonObject,
    label: Label | null,
  ): Promise<StoredRecord>
  remove(collection: string, id: string, version: number): Promise<void>
  /** Puts a record back as it was, with its times, whether it is there now or not. */
  restore(collection: string, record: StoredRecord): Promise<StoredRecord>
  /** Removes all of a collection, and says how many there were. */
  clear(collection: string): Promise<number>
  /** How many records each collection holds whose name begins so. */
  count(prefix: string): Promise<ReadonlyMap<string, number>>
}
