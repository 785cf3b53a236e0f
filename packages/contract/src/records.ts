/** Owns the port to the records that Countersign keeps for its operator. One table, many collections, each with its own shape. */
import type { JsonObject } from './json/value.ts'

export interface StoredRecord {
  readonly id: string
  readonly data: JsonObject
  /** Raised by one with each change. */
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
  /** Words that must all occur in the fields, whatever their case. */
  readonly search?: { readonly text: string; readonly fields: readonly string[] }
  /** The default is the newest first. `createdAt` and `updatedAt` are fields as well. */
  readonly order?: readonly { readonly field: string; readonly direction: 'up' | 'down' }[]
  readonly limit: number
  readonly offset?: number
}

/** The records of one operator within one transaction. */
export interface Records {
  get(collection: string, id: string): Promise<StoredRecord | undefined>
  list(
    collection: string,
    query: RecordQuery,
  ): Promise<{ readonly records: readonly StoredRecord[]; readonly total: number }>
  /** Fails if the id is taken. */
  insert(collection: string, id: string, data: JsonObject): Promise<StoredRecord>
  /** Replaces the data; the version goes up. Fails if the record is gone. */
  replace(collection: string, id: string, data: JsonObject): Promise<StoredRecord>
  /** Fails if the record is gone. */
  remove(collection: string, id: string): Promise<void>
  /** How many records each collection holds whose name begins so. */
  count(prefix: string): Promise<ReadonlyMap<string, number>>
}
