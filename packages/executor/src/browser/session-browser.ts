/**
 * Owns the browser of one session: a process of its own, the sites it has been to, and its one page. Between calls the
 * processes are stopped and the proxies are shut, and what is read comes from the snapshot that the last call left.
 * Refuses to wake a page for a call that names another one.
 */
import type { BrowserResult, Failure } from '@countersign/tools'
import { failure } from '../capabilities/failure.ts'
import type { AddressPolicy } from '../egress/egress.ts'
import { createFreezer } from './freezer.ts'
import { goneText, type PageAction, perform } from './page-action.ts'
import { elsewhere, isSamePage, nothingOpen } from './page-address.ts'
import type { BrowserProcess } from './process.ts'
import type { HostPort } from './reach.ts'
import { type PageRead, readSnapshot } from './reading.ts'
import { openSite, type Site, siteOf } from './site.ts'
import type { PageSnapshot } from './snapshot.ts'
import { openVisit, type Visit } from './visit.ts'

export interface SessionBrowser {
  readonly pid: number
  /** The page runs, and reaches these places, until this resolves. It resolves even on failure. */
  act(action: PageAction, opens: readonly HostPort[], timeoutMs: number): Promise<BrowserResult | Failure>
  /** Nothing of the browser runs for it. Resolves even on failure. */
  read(action: PageRead, signal: AbortSignal): Promise<BrowserResult | Failure>
  /** The page or the whole browser has ended. */
  isGone(): boolean
  close(): Promise<void>
}

export function createSessionBrowser(opened: BrowserProcess, policy: AddressPolicy): SessionBrowser {
  const freezer = createFreezer(opened.pid)
  /** Last used last. */
  const sites = new Map<string, Site>()
  let visit: Visit | undefined
  let snapshot: PageSnapshot | undefined
  void opened.ended.then(() => freezer.release())

  const siteAt = async (name: string): Promise<Site> => {
    const known = sites.get(name)
    sites.delete(name)
    const site = known ?? (await openSite(opened.browser, policy))
    sites.set(name, site)
    const [oldest] = sites
    if (oldest && sites.size > mostSites) {
      sites.delete(oldest[0])
      await oldest[1].context.close().catch(() => undefined)
      await oldest[1].closeDoor()
    }
    return site
  }
  /** The page of another site ends while nothing is open to it. */
  const visitTo = async (url: string): Promise<Visit | undefined> => {
    const name = siteOf(url)
    if (name === undefined) return undefined
    if (visit && visit.site === sites.get(name)) return visit
    freezer.thaw()
    await visit?.close()
    snapshot = undefined
    visit = await openVisit(await siteAt(name))
    return visit
  }
  const serve = async (
    action: PageAction,
    opens: readonly HostPort[],
    timeoutMs: number,
  ): Promise<BrowserResult | Failure> => {
    if (action.action !== 'navigate') {
      if (!snapshot) return failure(nothingOpen)
      if (!isSamePage(snapshot.href, action.url)) return elsewhere(snapshot.href, action.url)
    }
    const mine = action.action === 'navigate' ? await visitTo(action.url) : visit
    if (!mine) return failure(nothingOpen)
    try {
      mine.begin(opens)
      freezer.thaw()
      const performed = await perform(mine, action, timeoutMs)
      snapshot = performed.snapshot
      return performed.outcome
    } finally {
      freezer.freeze()
      mine.end()
    }
  }
  return {
    pid: opened.pid,
    async act(action, opens, timeoutMs) {
      try {
        // A browser that ends meanwhile may leave the driver waiting.
        const ended = opened.ended.then(() => failure(goneText(action)))
        return await Promise.race([serve(action, opens, timeoutMs), ended])
      } catch (error) {
        return failure(error instanceof Error ? error.message : String(error))
      } finally {
        freezer.freeze()
      }
    },
    async read(action, signal) {
      return snapshot ? readSnapshot(snapshot, action, signal) : failure(nothingOpen)
    },
    isGone: () => !opened.isOpen() || visit?.isGone() === true,
    async close() {
      await opened.close()
      // Not before the browser has ended: it would give its password to whoever takes the port next.
      await Promise.all([...sites.values()].map((site) => site.closeDoor()))
    },
  }
}

/** What was left longest ago is forgotten, with its cookies. */
const mostSites = 8
