/**
 * Owns where the keys are: a database in memory, as the library wants one, which is written out whole and read in again.
 * The library encrypts what it puts there with a key made of the access token, so that what is kept shows nothing.
 */
import { hkdfSync } from 'node:crypto'
import * as browserDatabase from 'fake-indexeddb'
import { z } from 'zod'
import type { DatabaseFactory, DatabaseRequest } from './indexed-db.ts'

const Row = z.tuple([z.unknown(), z.unknown()])
const Index = z.object({
  name: z.string(),
  keyPath: z.union([z.string(), z.array(z.string())]),
  unique: z.boolean(),
  multiEntry: z.boolean(),
})
const StoreDump = z.object({ name: z.string(), indexes: z.array(Index), rows: z.array(Row) })
const DatabaseDump = z.object({ name: z.string(), version: z.int(), stores: z.array(StoreDump) })
export const KeyDump = z.array(DatabaseDump)
export type KeyDump = z.infer<typeof KeyDump>

export interface KeyStore {
  readonly name: string
  readonly key: Uint8Array
  dump(): Promise<KeyDump>
}

/** Where keys of rooms are that others sent us. Old ones are given up first. */
const roomKeys = 'inbound_group_sessions3'
const mostRoomKeys = 1_500

export async function openKeyStore(
  accessToken: string,
  device: string,
  dump: KeyDump | null,
): Promise<KeyStore> {
  const factory: DatabaseFactory = new browserDatabase.IDBFactory()
  // The library looks for a browser's database where a browser has it.
  Object.assign(globalThis, { ...browserDatabase, indexedDB: factory })
  for (const database of dump ?? []) await restore(factory, database)
  const seen = new Map<string, number>()
  return {
    name: 'countersign',
    key: new Uint8Array(hkdfSync('sha256', accessToken, device, 'countersign matrix keys', 32)),
    async dump() {
      const databases = await factory.databases()
      return Promise.all(databases.map(({ name }) => dumpOf(factory, name ?? '', seen)))
    },
  }
}

async function restore(factory: DatabaseFactory, { name, version, stores }: KeyDump[number]): Promise<void> {
  const opening = factory.open(name, version)
  opening.onupgradeneeded = () => {
    for (const store of stores) {
      const made = opening.result.createObjectStore(store.name)
      for (const { name: index, keyPath, unique, multiEntry } of store.indexes)
        made.createIndex(index, keyPath, { unique, multiEntry })
      for (const [key, value] of store.rows) made.put(value, key)
    }
  }
  ;(await resultOf(opening)).close()
}

async function dumpOf(
  factory: DatabaseFactory,
  name: string,
  seen: Map<string, number>,
): Promise<KeyDump[number]> {
  const database = await resultOf(factory.open(name))
  try {
    const names = [...database.objectStoreNames]
    if (names.length === 0) return { name, version: database.version, stores: [] }
    const reading = database.transaction(names)
    const stores = names.map(async (storeName) => {
      const store = reading.objectStore(storeName)
      const indexes = [...store.indexNames].map((index) => {
        const { keyPath, unique, multiEntry } = store.index(index)
        return { name: index, keyPath, unique, multiEntry }
      })
      const [keys, values] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())])
      const rows = keys.map((key, at): [unknown, unknown] => [key, values[at]])
      return { name: storeName, indexes, rows: storeName === roomKeys ? newest(rows, seen) : rows }
    })
    return { name, version: database.version, stores: await Promise.all(stores) }
  } finally {
    database.close()
  }
}

function newest(rows: [unknown, unknown][], seen: Map<string, number>): [unknown, unknown][] {
  for (const [key] of rows) {
    const name = JSON.stringify(key)
    if (!seen.has(name)) seen.set(name, seen.size)
  }
  const age = ([key]: [unknown, unknown]) => seen.get(JSON.stringify(key)) ?? 0
  return rows.toSorted((a, b) => age(a) - age(b)).slice(-mostRoomKeys)
}

function resultOf<Result>(request: DatabaseRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error ?? new Error('The keys cannot be read.'))
  return promise
}
