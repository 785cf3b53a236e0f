/** Owns the start of the page: finds the gateway and the key for it, then shows the app or the way in. */
import { CountersignError, type PairingInfo } from '@countersign/contract'
import { pairingCalls } from '@countersign/contract/client'
import { type ReactNode, StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { type BrowserStore, openBrowserStore } from '../data/browser-store.ts'
import { type PairedKey, pairingMeans } from '../data/identity.ts'
import { browserHistory } from '../environment/history.ts'
import { createPreferences } from '../environment/preferences.ts'
import { createApp } from './create-app.tsx'
import { createServices } from './create-services.ts'
import { isExpectedGateway } from './pair/expected-gateway.ts'
import { takeLink } from './pair/link.ts'

/** The gateway that was here last, so that the app can be looked at while nothing answers. */
const lastGatewayKey = 'countersign.gateway'

export async function start(window: Window & typeof globalThis): Promise<void> {
  const place = window.document.getElementById('app')
  if (place === null) throw new Error('The page has no place for the app.')
  const root = createRoot(place)
  // In small steps, so that a slow phone answers a touch meanwhile.
  const show = (element: ReactNode) => startTransition(() => root.render(<StrictMode>{element}</StrictMode>))
  const link = takeLink(window.location, window.history)
  if (!window.isSecureContext) {
    const { Insecure } = await import('./pair/index.ts')
    show(<Insecure origin={window.location.origin} port={window.location.port} />)
    return
  }
  const browserStore = await openBrowserStore(window.indexedDB)
  const pairing = pairingCalls({
    url: window.location.origin,
    fetch: (url, request) => window.fetch(url, request),
    isExpected: async (info) =>
      isExpectedGateway(info, {
        link,
        known: await browserStore.keys.get(info.gateway),
        wasLetIn: (await keptKey(window, browserStore)) !== undefined,
      }),
    ports: pairingMeans,
  })
  registerWorker(window)

  const enter = async (key: PairedKey) => {
    window.localStorage.setItem(lastGatewayKey, key.gateway)
    const last = await browserStore.lastState.get(key.gateway)
    const services = createServices({
      window,
      key,
      ...(last === undefined ? {} : { last }),
      preferences: createPreferences(window.localStorage),
      forget: () => forget(window, browserStore, key),
      witness: browserStore.witness(key.gateway),
    })
    keepLastState(window, browserStore, key, services.live)
    const app = createApp(services, browserHistory(window))
    show(app.element)
    app.start()
  }

  const begin = async () => {
    let info: PairingInfo
    try {
      info = await pairing.info()
    } catch (error) {
      if (error instanceof CountersignError && error.code === 'gateway_unproven') {
        const { Unproven } = await import('./pair/index.ts')
        show(<Unproven error={error} onRetry={() => void begin()} />)
        return
      }
      const kept = await keptKey(window, browserStore)
      if (kept !== undefined) return enter(kept)
      const { Unreachable } = await import('./pair/index.ts')
      show(<Unreachable error={error as Error} onRetry={() => void begin()} />)
      return
    }
    const key = await browserStore.keys.get(info.gateway)
    if (key !== undefined) return enter(key)
    const { createPasskeys, Pair } = await import('./pair/index.ts')
    show(
      <Pair
        info={info}
        link={link}
        pairing={pairing}
        passkeys={createPasskeys(window)}
        onPaired={async (paired) => {
          await browserStore.keys.put(paired)
          await enter(paired)
        }}
      />,
    )
  }
  await begin()
}

async function keptKey(window: Window, browserStore: BrowserStore): Promise<PairedKey | undefined> {
  const gateway = window.localStorage.getItem(lastGatewayKey)
  return gateway === null ? undefined : browserStore.keys.get(gateway as PairedKey['gateway'])
}

/** Without its key and without what it knew, and from the beginning. */
async function forget(window: Window, browserStore: BrowserStore, key: PairedKey): Promise<void> {
  await browserStore.keys.remove(key.gateway)
  await browserStore.lastState.remove(key.gateway)
  window.localStorage.removeItem(lastGatewayKey)
  window.location.assign('/')
}

const keepEveryMs = 10_000

function keepLastState(
  window: Window,
  browserStore: BrowserStore,
  key: PairedKey,
  live: { get(): { state: Parameters<BrowserStore['lastState']['put']>[1] } },
): void {
  let kept = 0
  window.setInterval(() => {
    const { state } = live.get()
    if (state.seq === kept) return
    kept = state.seq
    browserStore.lastState.put(key.gateway, state).catch((error: unknown) => {
      console.warn('What is shown could not be kept for a start without a connection.', error)
    })
  }, keepEveryMs)
}

/** A page in development has no worker: it would serve an old shell. */
function registerWorker(window: Window): void {
  if (!import.meta.env.PROD || !('serviceWorker' in window.navigator)) return
  window.navigator.serviceWorker.register('/sw.js').catch((error: unknown) => {
    console.warn('Without its worker the app does not start offline and shows no notifications.', error)
  })
}
