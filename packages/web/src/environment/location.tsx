/**
 * Owns where the page is for whoever draws it. The old screen stays until the next one is there; what only marks the
 * way, as the rail does, may look at where one wants to go.
 */
import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Address, AppHistory } from './history.ts'

interface Route {
  readonly history: AppHistory
  readonly shown: Address
  readonly preload: (href: string) => void
  readonly baseOf: (pathname: string) => string | undefined
}

const RouteContext = createContext<Route | null>(null)

export function LocationProvider({
  history,
  preload,
  baseOf,
  children,
}: {
  history: AppHistory
  preload: (href: string) => void
  /** The path of the screen that an address is within. */
  baseOf: (pathname: string) => string | undefined
  children: ReactNode
}) {
  const [shown, setShown] = useState(history.get)
  useEffect(() => history.listen(() => startTransition(() => setShown(history.get()))), [history])
  const route = useMemo(() => ({ history, shown, preload, baseOf }), [history, shown, preload, baseOf])
  return <RouteContext value={route}>{children}</RouteContext>
}

/** What is on the page. */
export const useLocation = (): Address => useRoute().shown

/** Where the page is going, which is the same once it is there. */
export function useWanted(): Address {
  const { history } = useRoute()
  return useSyncExternalStore(history.listen, history.get)
}

export const useHistory = (): AppHistory => useRoute().history

/** Fetches the screen of an address before somebody goes there. */
export const usePreload = (): ((href: string) => void) => useRoute().preload

/** The path of the screen that is on the page. */
export function useBase(): string {
  const { shown, baseOf } = useRoute()
  return baseOf(shown.pathname) ?? '/'
}

function useRoute(): Route {
  const route = useContext(RouteContext)
  if (route === null) throw new Error('The location is used outside of LocationProvider.')
  return route
}
