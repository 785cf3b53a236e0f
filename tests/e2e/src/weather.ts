/** Owns what a page gets when it asks the gateway: the truth, nothing yet, an error, nothing at all, or ten thousand of everything. */
import type { BrowserContext, Route, WebSocketRoute } from 'playwright-core'
import { type Signing, signedAnswer } from './as-gateway.ts'

export type Weather = 'plain' | 'loading' | 'error' | 'offline' | 'crowd'

export interface Sky {
  change(to: Weather): Promise<void>
}

export const crowd = 10_000
/** So many requests are kept live at most. */
const crowdOfRequests = 1_000

const failure = {
  ok: false,
  error: {
    type: 'internal',
    message: 'The gateway could not answer that.',
    next: 'Look at its log: `countersign service logs`.',
  },
}

/** Who one is and what is live is always told, so that the app itself stands. */
const frame = /^\/v1\/(pairing|live)$/

export async function overWeather(context: BrowserContext, installation: Signing): Promise<Sky> {
  let weather: Weather = 'plain'
  const held = new Set<Route>()
  const sockets = new Set<WebSocketRoute>()

  await context.routeWebSocket(/\/v1\/socket(\?|$)/, (page) => {
    if (weather === 'offline') return void page.close({ code: 1011 })
    page.connectToServer()
    sockets.add(page)
  })
  await context.route(/\/v1\//, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (weather === 'offline') return route.abort('internetdisconnected')
    if (weather === 'crowd' && route.request().method() === 'GET') return many(route, installation)
    if (weather === 'plain' || weather === 'crowd' || frame.test(pathname)) return route.continue()
    if (weather === 'loading') return void held.add(route)
    return route.fulfill(signedAnswer(installation, route.request(), 500, JSON.stringify(failure)))
  })

  return {
    async change(to) {
      weather = to
      // Whoever waited has left by now.
      for (const route of held) await route.abort().catch(() => undefined)
      held.clear()
      if (to !== 'offline') return
      for (const page of sockets) await page.close({ code: 1011 }).catch(() => undefined)
      sockets.clear()
    },
  }
}

async function many(route: Route, installation: Signing): Promise<void> {
  try {
    const answer = await route.fetch()
    if (!answer.headers()['content-type']?.includes('json')) return await route.fulfill({ response: answer })
    const { pathname, searchParams } = new URL(route.request().url())
    const body: unknown = await answer.json()
    // Whoever asks for seven is given seven.
    const most = Math.min(crowd, Number(searchParams.get('limit') ?? crowd))
    const full = JSON.stringify(pathname === '/v1/live' ? fullLive(body) : fuller(body, most, 2))
    await route.fulfill(signedAnswer(installation, route.request(), answer.status(), full))
  } catch {
    // The page went on before it was answered.
    await route.abort().catch(() => undefined)
  }
}

type Thing = Readonly<Record<string, unknown>>

/** Lists of things that have a name of their own become long ones. */
function fuller(value: unknown, most: number, depth: number): unknown {
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[]
    if (isThing(first) && ('id' in first || 'seq' in first))
      return Array.from({ length: most }, (_, place) => copyOf(value[place % value.length] as Thing, place))
    return depth === 0 ? value : value.map((each) => fuller(each, most, depth - 1))
  }
  if (!isThing(value) || depth === 0) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, fuller(each, most, depth - 1)]),
  )
}

function copyOf(thing: Thing, place: number): Thing {
  return {
    ...thing,
    ...(typeof thing['id'] === 'string' ? { id: otherId(thing['id'], place) } : {}),
    ...(typeof thing['seq'] === 'number' ? { seq: 1_000_000 - place } : {}),
  }
}

function fullLive(body: unknown): unknown {
  const snapshot = body as { state: { approvals: Readonly<Record<string, Thing>> } }
  const waiting = Object.values(snapshot.state.approvals)
  if (waiting.length === 0) return body
  const approvals = Object.fromEntries(
    Array.from({ length: crowdOfRequests }, (_, place) => {
      const one = waiting[place % waiting.length] as Thing
      const id = otherId(String(one['id']), place)
      return [id, { ...one, id, run: otherId(String(one['run']), place), code: codeOf(place) }]
    }),
  )
  return { ...snapshot, state: { ...snapshot.state, approvals } }
}

function otherId(id: string, place: number): string {
  return `${id.slice(0, -5)}${place.toString(16).padStart(5, '0')}`
}

function codeOf(place: number): string {
  return `Q${place.toString(36).toUpperCase().padStart(3, '2')}`
}

function isThing(value: unknown): value is Thing {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
