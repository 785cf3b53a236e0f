/** Owns what is drawn for an address: the frame with a screen in it, a page without the frame, or that nothing is there. */

import { Suspense } from 'react'
import { type AppHistory, appAddressOf } from '../environment/history.ts'
import { LocationProvider, useLocation } from '../environment/location.tsx'
import { Catch } from '../kit/catch.tsx'
import { Page } from '../kit/page.tsx'
import { ErrorState, Skeleton } from '../kit/states.tsx'
import { words } from '../words/frame.tsx'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'
import { createScreens, pathOf, type Screens } from './route/screens.tsx'

export function createAppRouter(history: AppHistory) {
  const screens = createScreens()
  const preload = (href: string) => screens.preload(appAddressOf(href).pathname)
  return function AppRouter() {
    return (
      <LocationProvider history={history} preload={preload} baseOf={pathOf}>
        <Drawn screens={screens} />
      </LocationProvider>
    )
  }
}

function Drawn({ screens }: { screens: Screens }) {
  const { pathname } = useLocation()
  const screen = screens.at(pathname)
  const content = (
    <Catch key={screen?.path ?? pathname} shown={broken}>
      <Suspense fallback={<Loading />}>{screen === undefined ? <NotFound /> : <screen.component />}</Suspense>
    </Catch>
  )
  return screen?.framed === false ? content : <Frame screen={screen?.path ?? pathname}>{content}</Frame>
}

function Loading() {
  return (
    <div className="p-8">
      <Skeleton />
    </div>
  )
}

/** A screen whose file is gone was replaced by a newer version: the page must be loaded anew. */
function broken(error: Error, retry: () => void) {
  const isGone = /import|fetch|module/i.test(error.message) && error instanceof TypeError
  return (
    <Page title={isGone ? words.broken.gone : words.broken.other}>
      <ErrorState error={error} onRetry={isGone ? () => window.location.reload() : retry} />
    </Page>
  )
}
