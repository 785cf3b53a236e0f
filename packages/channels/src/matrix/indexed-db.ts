/** Owns the part of a browser's database that is used here; Node's types do not have it. */
export interface DatabaseRequest<Result> {
  readonly result: Result
  readonly error: Error | null
  onsuccess: unknown
  onerror: unknown
}

export interface DatabaseFactory {
  open(name: string, version?: number): OpenRequest
  databases(): Promise<readonly { readonly name?: string }[]>
}

interface OpenRequest extends DatabaseRequest<Database> {
  onupgradeneeded: unknown
}

interface Database {
  readonly version: number
  readonly objectStoreNames: Iterable<string>
  createObjectStore(name: string): ObjectStore
  transaction(names: readonly string[]): { objectStore(name: string): ObjectStore }
  close(): void
}

interface IndexSettings {
  readonly unique: boolean
  readonly multiEntry: boolean
}

interface ObjectStore {
  readonly indexNames: Iterable<string>
  index(name: string): IndexSettings & { readonly keyPath: string | string[] }
  createIndex(name: string, keyPath: string | string[], settings: IndexSettings): unknown
  put(value: unknown, key: unknown): unknown
  getAll(): DatabaseRequest<unknown[]>
  getAllKeys(): DatabaseRequest<unknown[]>
}
