/** Owns the address of the page and how it changes. One for a browser, and one in memory for a page without an address. */

export interface AppAddress {
  readonly pathname: string
  /** With its question mark, or empty. */
  readonly search: string
}

export interface AppHistory {
  /** The same object until the address changes. */
  get(): AppAddress
  push(href: string): void
  replace(href: string): void
  listen(listener: () => void): () => void
}

export function browserHistory(window: Window): AppHistory {
  const read = (): AppAddress => ({ pathname: window.location.pathname, search: window.location.search })
  const { listeners, store } = createStore(read())
  window.addEventListener('popstate', () => store.set(read()))
  return {
    get: store.get,
    listen: listeners.add,
    push(href) {
      window.history.pushState(null, '', href)
      store.set(read())
    },
    replace(href) {
      window.history.replaceState(null, '', href)
      store.set(read())
    },
  }
}

export function memoryHistory(href: string): AppHistory {
  const { listeners, store } = createStore(appAddressOf(href))
  const go = (to: string) => store.set(appAddressOf(to))
  return { get: store.get, listen: listeners.add, push: go, replace: go }
}

export function appAddressOf(href: string): AppAddress {
  const { pathname, search } = new URL(href, 'http://app')
  return { pathname, search }
}

function createStore(first: AppAddress) {
  let address = first
  const all = new Set<() => void>()
  return {
    store: {
      get: () => address,
      set(next: AppAddress) {
        if (next.pathname === address.pathname && next.search === address.search) return
        address = next
        for (const listener of all) listener()
      },
    },
    listeners: {
      add(listener: () => void) {
        all.add(listener)
        return () => void all.delete(listener)
      },
    },
  }
}
