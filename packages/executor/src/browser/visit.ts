/**
 * Owns the one page of a session: its cookies, its proxy, and what it is refused. Refuses downloads, dialogs, further
 * windows, service workers and every permission that a page can ask for.
 */
import { setTimeout } from 'node:timers/promises'
import type { Browser, Dialog, Page, Request } from 'playwright-core'
import type { AddressPolicy } from '../egress/egress.ts'
import { describeTarget } from '../egress/target.ts'
import type { BrowserProcess } from './process.ts'
import { openProxyDoor, type ProxyDoor } from './proxy-door.ts'
import { createReach, type Reach } from './reach.ts'

export interface Visit {
  readonly page: Page
  readonly reach: Reach
  /** Whether a page at this address may be shown. */
  isOpenTo(url: string): boolean
  /** Resolves when the page has asked for nothing and waited for nothing for a moment, or when the time is over. */
  quiet(mostMs: number): Promise<void>
  /** Where the page set out for since the last time this was asked. */
  takeGoal(): string | undefined
  /** What the page was refused since the last time, in sentences. */
  takeNotes(): readonly string[]
  isGone(): boolean
  /** The browser itself is gone. */
  isLost(): boolean
  close(): Promise<void>
}

export async function openVisit({ browser, ended }: BrowserProcess, policy: AddressPolicy): Promise<Visit> {
  const reach = createReach()
  const door = await openProxyDoor(reach, policy)
  const entry = enter(browser, reach, door)
  try {
    // A browser that ends meanwhile may leave the driver waiting.
    const visit = await Promise.race([entry, ended.then(() => undefined)])
    if (visit === undefined) throw new Error('The browser ended before the page was open.')
    return visit
  } catch (error) {
    entry.catch(() => undefined)
    await door.close()
    throw error
  }
}

async function enter(browser: Browser, reach: Reach, door: ProxyDoor): Promise<Visit> {
  const context = await browser.newContext({
    proxy: { server: door.server, bypass: '<-loopback>' },
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
  })
  const page = await context.newPage()
  const notes: string[] = []
  let goal: string | undefined
  let isCrashed = false
  const note = (text: string) => {
    if (notes.length < mostNotes) notes.push(text)
  }
  page.on('crash', () => {
    isCrashed = true
  })
  page.on('dialog', (dialog) => {
    const isLeaving = dialog.type() === 'beforeunload'
    if (!isLeaving) note(`A dialog was dismissed: ${JSON.stringify(dialog.message().slice(0, 200))}.`)
    void answer(dialog, isLeaving)
  })
  page.on('download', () => note('A download was refused.'))
  const waiting = new Set<Request>()
  let stirredAt = 0
  const ends = (request: Request) => {
    waiting.delete(request)
    stirredAt = performance.now()
  }
  page.on('requestfinished', ends)
  page.on('requestfailed', ends)
  page.on('request', (request) => {
    waiting.add(request)
    stirredAt = performance.now()
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) goal = request.url()
  })
  context.on('page', (other) => {
    if (other === page) return
    note(`A new window was closed: ${shortened(other.url())}. Open it with browser_navigate if you need it.`)
    other.close().catch(() => undefined)
  })
  return {
    page,
    reach,
    isOpenTo(url) {
      if (url === 'about:blank') return true
      const target = describeTarget(url)
      return target.kind === 'target' && reach.allows({ host: target.asciiHost, port: target.port })
    },
    async quiet(mostMs) {
      const began = performance.now()
      stirredAt = began
      while (performance.now() - began < mostMs) {
        if (waiting.size === 0 && performance.now() - stirredAt > quietMs) return
        await setTimeout(quietMs / 4)
      }
    },
    takeGoal() {
      const taken = goal
      goal = undefined
      return taken
    },
    takeNotes() {
      const refused = reach.takeRefused()
      return [...notes.splice(0), ...door.takeRefused(), ...(refused === undefined ? [] : [refused])]
    },
    isGone: () => isCrashed || page.isClosed() || !browser.isConnected(),
    isLost: () => !browser.isConnected(),
    async close() {
      await Promise.all([context.close().catch(() => undefined), door.close()])
    },
  }
}

export function shortened(url: string): string {
  return url.length > 500 ? `${url.slice(0, 500)}…` : url
}

const mostNotes = 10
const quietMs = 200

/** To stay on a page that does not want to be left would stop every navigation. */
async function answer(dialog: Dialog, isLeaving: boolean): Promise<void> {
  await (isLeaving ? dialog.accept() : dialog.dismiss()).catch(() => undefined)
}
