/** Keeps what this browser must not lose in IndexedDB: its keys, and the last state that it showed. */
import { LiveState } from '@countersign/contract'
import type { KeyStore, PairedKey } from './identity.ts'
import type { WitnessStore } from './ledger-witness.ts'

export interface BrowserStore {
  readonly keys: KeyStore
  readonly lastState: {
    get(gateway: string): Promise<LiveState | undefined>
    put(gateway: string, state: LiveState): Promise<void>
    remove(gateway: string): Promise<void>
  }
  /** What was seen of the ledger; it stays when the key is forgotten, since the gateway is the same. */
  witness(gateway: string): WitnessStore
}

export async function openBrowserStore(factory: IDBFactory): Promise<BrowserStore> {
  const database = await open(factory)
  const all = <T>(store: string, mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<T>) =>
    settled(run(database.transaction(store, mode).objectStore(store)))
  return {
    keys: {
      get: async (gateway) =>
        (await all('keys', 'readonly', (store) => store.get(gateway))) as PairedKey | undefined,
      put: async (key) => {
        await all('keys', 'readwrite', (store) => store.put(key))
      },
      remove: async (gateway) => {
        await all('keys', 'readwrite', (store) => store.delete(gateway))
      },
    },
    lastState: {
      async get(gateway) {
        const kept = (await all('states', 'readonly', (store) => store.get(gateway))) as unknown
        // It may have been written by another version of this page.
        return LiveState.safeParse(kept).data
      },
      put: async (gateway, state) => {
        await all('states', 'readwrite', (store) => store.put(state, gateway))
      },
      remove: async (gateway) => {
        await all('states', 'readwrite', (store) => store.delete(gateway))
      },
    },
    witness: (gateway) => ({
      get: () => all('states', 'readonly', (store) => store.get(`ledger/${gateway}`)) as Promise<unknown>,
      put: async (memory) => {
        await all('states', 'readwrite', (store) => store.put(memory, `ledger/${gateway}`))
      },
    }),
  }
}

function open(factory: IDBFactory): Promise<IDBDatabase> {
  const request = factory.open('countersign', 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore('keys', { keyPath: 'gateway' })
    request.result.createObjectStore('states')
  }
  return settled(request)
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed without a reason.'))
  })
}
