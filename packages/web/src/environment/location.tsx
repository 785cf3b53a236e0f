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
import type { AppAddress, AppHistory } from './history.ts'

interface Navigation {
  readonly history: AppHistory
  readonly shown: AppAddress
  readonly preload: (href: string) => void
  readonly baseOf: (pathname: string) => string | undefined
}

const NavigationContext = createContext<Navigation | null>(null)

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
  return <NavigationContext value={route}>{children}</NavigationContext>
}

/** What is on the page. */
export const useLocation = (): AppAddress => useNavigation().shown

/** Where the page is going, which is the same once it is there. */
export function useWanted(): AppAddress {
  const { history } = useNavigation()
  return useSyncExternalStore(history.listen, history.get)
}

export const useHistory = (): AppHistory => useNavigation().history

/** Fetches the screen of an address before somebody goes there. */
export const usePreload = (): ((href: string) => void) => useNavigation().preload

/** The path of the screen that is on the page. */
export function useBase(): string {
  const { shown, baseOf } = useNavigation()
  return baseOf(shown.pathname) ?? '/'
}

function useNavigation(): Navigation {
  const route = useContext(NavigationContext)
  if (route === null) throw new Error('The location is used outside of LocationProvider.')
  return route
}
