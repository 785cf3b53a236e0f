/** Owns what this browser remembers of its operator's taste. Nothing here is secret and nothing decides anything. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark'
  /** `browser` is the first of the browser's own that the app has. */
  readonly language: 'browser' | 'en' | 'de'
  /** Whether single letters act. */
  readonly letters: boolean
  /** Queries of the ledger that are kept, the newest first. */
  readonly ledgerQueries: readonly string[]
}

export interface PreferenceStore {
  get(): Preferences
  set(change: Partial<Preferences>): void
  subscribe(listener: () => void): () => void
}

/** What is kept; `localStorage` is one. */
export interface TextStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

export const preferencesKey = 'countersign.preferences'
const usual: Preferences = { theme: 'system', language: 'browser', letters: true, ledgerQueries: [] }

export function createPreferences(store: TextStore): PreferenceStore {
  let current = read(store)
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(change) {
      current = { ...current, ...change }
      store.setItem(preferencesKey, JSON.stringify(current))
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function read(store: TextStore): Preferences {
  const text = store.getItem(preferencesKey)
  if (text === null) return usual
  try {
    const kept = JSON.parse(text) as Partial<Record<keyof Preferences, unknown>>
    return {
      theme: kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : 'system',
      language: kept.language === 'en' || kept.language === 'de' ? kept.language : 'browser',
      letters: kept.letters !== false,
      ledgerQueries: Array.isArray(kept.ledgerQueries)
        ? kept.ledgerQueries.filter((query) => typeof query === 'string')
        : [],
    }
  } catch {
    return usual
  }
}
