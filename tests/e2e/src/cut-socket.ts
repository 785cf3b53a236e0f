/** Owns the wire between a page and the gateway, and the ways in which it breaks. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, WebSocketRoute } from 'playwright-core'
import { oneOf, type Random } from './random.ts'

export type Cut = 'closed' | 'lost and closed' | 'offline' | 'closed while opening'

export interface Wire {
  /** Breaks it in one way or another. */
  cut(): Promise<Cut>
  /** How often the page has connected. */
  connections(): number
}

interface Side {
  readonly page: WebSocketRoute
  readonly gateway: WebSocketRoute
  /** What the gateway says is lost. */
  deaf: boolean
}

const ways: readonly [Cut, ...Cut[]] = ['closed', 'lost and closed', 'offline', 'closed while opening']

export async function layWire(context: BrowserContext, random: Random): Promise<Wire> {
  let latest: Side | null = null
  let count = 0
  /** So many frames may still come over the next connection. */
  let budget = Number.POSITIVE_INFINITY

  await context.routeWebSocket(/\/v1\/socket(\?|$)/, (page) => {
    const side: Side = { page, gateway: page.connectToServer(), deaf: false }
    let left = budget
    budget = Number.POSITIVE_INFINITY
    latest = side
    count += 1
    side.gateway.onMessage((frame) => {
      if (left <= 0) return void close(side)
      left -= 1
      if (!side.deaf) page.send(frame)
    })
  })

  return {
    connections: () => count,
    async cut() {
      const way = oneOf(random, ways)
      const side = latest
      if (side === null) throw new Error('The page has not connected yet.')
      if (way === 'lost and closed') {
        side.deaf = true
        await sleep(random() * 150)
      }
      if (way === 'closed while opening') budget = Math.floor(random() * 3)
      if (way === 'offline') await context.setOffline(true)
      await close(side)
      if (way === 'offline') {
        await sleep(random() * 500)
        await context.setOffline(false)
      }
      return way
    },
  }
}

/** Whichever end was gone already has nothing to say. */
async function close({ page, gateway }: Side): Promise<void> {
  await Promise.allSettled([page.close({ code: 1012, reason: 'cut' }), gateway.close()])
}
