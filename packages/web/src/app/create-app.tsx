/** Builds the app from its services. Everything it touches outside of itself is in them. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Announcer } from '../environment/announcer.tsx'
import type { AppHistory } from '../environment/history.ts'
import { KeyProvider } from '../environment/keys.tsx'
import { createQueries, touchedBy } from '../environment/queries.ts'
import { type Services, ServicesContext, usePreferences } from '../environment/services.tsx'
import { Notices } from '../kit/notify.tsx'
import { createAppRouter } from './router.tsx'
import { applyTheme } from './theme.ts'

export interface App {
  readonly element: ReactNode
  /** Begins to be live. Returns how to end. */
  readonly start: () => () => void
}

export function createApp(services: Services, history: AppHistory): App {
  const Router = createAppRouter(history)
  const queries = createQueries()
  const { live } = services
  return {
    element: (
      <ServicesContext value={services}>
        <QueryClientProvider client={queries}>
          <Surroundings>
            <Router />
          </Surroundings>
        </QueryClientProvider>
      </ServicesContext>
    ),
    start() {
      const ends = [
        live.onEvent((event) => {
          for (const queryKey of touchedBy(event)) void queries.invalidateQueries({ queryKey })
        }),
        live.onSkipped(() => void queries.invalidateQueries()),
        whenNetworkChanges(() => live.nudge()),
      ]
      live.start()
      return () => {
        live.stop()
        for (const end of ends) end()
      }
    },
  }
}

function Surroundings({ children }: { children: ReactNode }) {
  const { theme, letters } = usePreferences()
  useEffect(() => applyTheme(document.documentElement, theme), [theme])
  return (
    <KeyProvider letters={letters}>
      <Announcer>
        <Notices>{children}</Notices>
      </Announcer>
    </KeyProvider>
  )
}

/** The network came or went, or the page was looked at again after a sleep. */
function whenNetworkChanges(run: () => void): () => void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') run()
  }
  window.addEventListener('online', run)
  window.addEventListener('offline', run)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    window.removeEventListener('online', run)
    window.removeEventListener('offline', run)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
