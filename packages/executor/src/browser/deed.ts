/**
 * Owns what is done with a page. Refuses to do anything on another page than the one that was approved, and to leave
 * the page at a place that the call does not name.
 */
import type { BrowserAction, BrowserSeen, Failure } from '@countersign/tools'
import type { CDPSession, ElementHandle, Page } from 'playwright-core'
import { failed } from '../hands/failed.ts'
import { firstLine } from './cut-text.ts'
import { evaluateIn } from './evaluation.ts'
import { elsewhere, isSamePage, nothingMatches, shortened } from './page-place.ts'
import type { PageRead } from './reading.ts'
import { type PageSnapshot, snapshotLimits, takeSnapshot } from './snapshot.ts'
import type { Visit } from './visit.ts'

export type PageDeed = Exclude<BrowserAction, PageRead>

export interface Performed {
  readonly outcome: BrowserSeen | Failure
  /** The page as the deed left it; undefined if it could not be read. */
  readonly snapshot: PageSnapshot | undefined
}

/** What a deed found, apart from where the page is when it has ended. */
interface Found {
  readonly status?: number | null
  readonly text?: string
  readonly truncated?: boolean
  readonly notes?: readonly string[]
}

/** Resolves even on failure; only a page that does not answer keeps it waiting. */
export async function perform(visit: Visit, deed: PageDeed, timeoutMs: number): Promise<Performed> {
  visit.takeGoal()
  let cdp: CDPSession | undefined
  let found: Found | Failure
  try {
    cdp = await visit.page.context().newCDPSession(visit.page)
    found =
      deed.action !== 'navigate' && !isAt(visit.page, deed.url)
        ? elsewhere(visit.page.url(), deed.url)
        : await deedOf(visit, cdp, deed, timeoutMs)
  } catch (error) {
    found = failed(visit.isGone() ? goneText(deed) : errorText(error))
  }
  try {
    return await conclude(visit, cdp, deed, found)
  } finally {
    await cdp?.detach().catch(() => undefined)
  }
}

export function goneText({ action }: PageDeed): string {
  const isUnknown = action !== 'navigate'
  return `The browser ended during the call${isUnknown ? ', so whether it took effect is not known' : ''}. Open the page again with browser_navigate.`
}

async function conclude(
  visit: Visit,
  cdp: CDPSession | undefined,
  deed: PageDeed,
  found: Found | Failure,
): Promise<Performed> {
  const strayed = await leaveStrangePlace(visit)
  let snapshot: PageSnapshot | undefined
  let problem: string | undefined
  try {
    if (cdp) snapshot = await takeSnapshot(cdp)
  } catch (error) {
    problem = visit.isGone() ? goneText(deed) : `The page could not be read: ${errorText(error)}`
  }
  const notes = [...strayed, ...visit.takeNotes()]
  if ('kind' in found) return { outcome: failed([found.reason, ...notes].join(' ')), snapshot }
  if (problem !== undefined && deed.action === 'navigate')
    return { outcome: failed([problem, ...notes].join(' ')), snapshot }
  const isOpened = deed.action === 'navigate'
  const outcome: BrowserSeen = {
    kind: 'seen',
    url: visit.page.url(),
    title: snapshot?.title ?? '',
    status: found.status ?? null,
    text: (isOpened ? snapshot?.text.text : found.text) ?? '',
    truncated: (isOpened ? snapshot?.text.truncated : found.truncated) ?? false,
    image: null,
    notes: [...(found.notes ?? []), ...notes, ...(problem === undefined ? [] : [problem])],
  }
  return { outcome, snapshot }
}

async function deedOf(
  visit: Visit,
  cdp: CDPSession,
  deed: PageDeed,
  timeoutMs: number,
): Promise<Found | Failure> {
  const { page } = visit
  switch (deed.action) {
    case 'navigate':
      return navigate(visit, deed.url, timeoutMs)
    case 'click':
      return withElement(page, deed, timeoutMs, async (element, left) => {
        await element.click({ timeout: left })
        await visit.quiet(longestQuiet)
        return {}
      })
    case 'fill':
      return withElement(page, deed, timeoutMs, async (element, left) => {
        await element.fill(deed.value, { timeout: left })
        await visit.quiet(longestQuiet)
        return {}
      })
    case 'evaluate': {
      const { url, code } = deed
      const origin = new URL(url).origin
      const mostBytes = snapshotLimits.textBytes
      const outcome = await evaluateIn(cdp, { origin, code, timeoutMs, mostBytes })
      if (outcome.kind === 'elsewhere') return elsewhere(page.url(), url)
      if (outcome.kind === 'threw') return failed(`The code failed: ${outcome.message}`)
      await visit.quiet(longestQuiet)
      if (outcome.kind === 'left') return { notes: ['The page went elsewhere before the code ended.'] }
      return { text: outcome.text, truncated: outcome.truncated }
    }
  }
}

async function navigate(visit: Visit, url: string, timeoutMs: number): Promise<Found | Failure> {
  const { page } = visit
  if (!visit.isOpenTo(url))
    return failed(`The approved call does not name ${shortened(url)}. Nothing was opened.`)
  let status: number | null
  try {
    const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: timeoutMs })
    status = response?.status() ?? null
  } catch (error) {
    const text = errorText(error)
    return failed(
      /Download is starting/.test(text)
        ? 'The address is a download, and the browser keeps none. Fetch it with http_request.'
        : text,
    )
  }
  await visit.quiet(longestQuiet)
  return visit.isOpenTo(page.url()) ? { status } : failed('The page is not one that this call may open.')
}

/** The element belongs to the document that was approved; if that one goes, so does the element. */
async function withElement(
  page: Page,
  { url, selector }: { readonly url: string; readonly selector: string },
  timeoutMs: number,
  use: (element: ElementHandle, left: number) => Promise<Found>,
): Promise<Found | Failure> {
  const patience = Math.min(timeoutMs, longestSearch)
  let element: ElementHandle
  try {
    element = await page.locator(selector).elementHandle({ timeout: patience })
  } catch (error) {
    return /Timeout/.test(String(error)) ? nothingMatches(selector) : failed(errorText(error))
  }
  if (!isAt(page, url) || (await element.ownerFrame()) !== page.mainFrame()) return elsewhere(page.url(), url)
  return use(element, Math.min(timeoutMs, longestTry))
}

const longestSearch = 5_000
const longestTry = 10_000

/** Some pages are never quiet. */
const longestQuiet = 4_000

/** What stands at a refused address is the proxy's answer and not a page. */
async function leaveStrangePlace(visit: Visit): Promise<string[]> {
  const { page } = visit
  const goal = visit.takeGoal()
  if (!visit.isOpenTo(page.url())) await page.goto('about:blank', { timeout: 5_000 }).catch(() => undefined)
  if (goal === undefined || visit.isOpenTo(goal)) return []
  return [
    `The page led to ${shortened(goal)}, which this call does not name. Call browser_navigate with that address to go there.`,
  ]
}

function isAt(page: Page, url: string): boolean {
  return isSamePage(page.url(), url)
}

/** Without the colours and the log that the driver adds. */
function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  // oxlint-disable-next-line no-control-regex
  return firstLine(message.replace(/\u001b\[\d+m/g, '').replace(/^[a-zA-Z]+\.[a-zA-Z]+: /, ''))
}
