/** Owns the one page of a session, and what it is refused. Refuses dialogs and further windows. */
import { setTimeout } from 'node:timers/promises'
import type { Dialog, Page, Request } from 'playwright-core'
import { describeTarget } from '../egress/target.ts'
import { shortened } from './page-address.ts'
import type { HostPort } from './reach.ts'
import type { Site } from './site.ts'

export interface Visit {
  readonly page: Page
  readonly site: Site
  /** From here on the page reaches these places and no others. */
  begin(places: readonly HostPort[]): void
  /** The page reaches nothing any more, and its connections are cut. */
  end(): void
  /** Whether a page at this address may be shown. */
  isOpenTo(url: string): boolean
  /** Resolves when the page has asked for nothing and waited for nothing for a moment, or when the time is over. */
  quiet(mostMs: number): Promise<void>
  /** Where the page set out for since the last time this was asked. */
  takeGoal(): string | undefined
  /** What the page was refused since the last time, in sentences. */
  takeNotes(): readonly string[]
  isGone(): boolean
  /** The site stays as it is. */
  close(): Promise<void>
}

export async function openVisit(site: Site): Promise<Visit> {
  const { context, door } = site
  const page = await site.openPage()
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
  const refuseWindow = (other: Page) => {
    if (other === page) return
    note(`A new window was closed: ${shortened(other.url())}. Open it with browser_navigate if you need it.`)
    other.close().catch(() => undefined)
  }
  context.on('page', refuseWindow)
  return {
    page,
    site,
    begin: (places) => door.open(places),
    end: () => door.shut(),
    isOpenTo(url) {
      if (url === 'about:blank') return true
      const target = describeTarget(url)
      return target.kind === 'target' && door.reach.allows({ host: target.asciiHost, port: target.port })
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
      const refused = door.reach.takeRefused()
      return [...notes.splice(0), ...door.takeRefused(), ...(refused === undefined ? [] : [refused])]
    },
    isGone: () => isCrashed || page.isClosed(),
    async close() {
      context.off('page', refuseWindow)
      await Promise.all(context.pages().map((one) => one.close().catch(() => undefined)))
    },
  }
}

const mostNotes = 10
const quietMs = 200

/** To stay on a page that does not want to be left would stop every navigation. */
async function answer(dialog: Dialog, isLeaving: boolean): Promise<void> {
  await (isLeaving ? dialog.accept() : dialog.dismiss()).catch(() => undefined)
}
