/**
 * Owns what is done with a page. Refuses to do anything on another page than the one that was approved, and to leave
 * the page at a place that no permit names.
 */
import type { BrowserAction, BrowserSeen, Failure } from '@countersign/tools'
import type { CDPSession, ElementHandle, Page } from 'playwright-core'
import { failed } from '../hands/failed.ts'
import { evaluateIn } from './evaluation.ts'
import { firstLine, readPage } from './reading.ts'
import { shortened, type Visit } from './visit.ts'

export const deedLimits = {
  textBytes: 200_000,
  htmlBytes: 1_000_000,
  imageBytes: 4 * 1024 * 1024,
  /** Of a picture of the whole page, in pixels. */
  imageHeight: 8_000,
} as const

/** What a deed found, apart from where the page is when it has ended. */
interface Found {
  readonly status?: number | null
  readonly text?: string
  readonly truncated?: boolean
  readonly image?: Uint8Array
  readonly notes?: readonly string[]
}

/** Resolves even on failure; only a page that does not answer keeps it waiting. */
export async function perform(
  visit: Visit,
  action: BrowserAction,
  timeoutMs: number,
): Promise<BrowserSeen | Failure> {
  visit.takeGoal()
  try {
    if (action.action !== 'navigate' && !isAt(visit.page, action.url))
      return elsewhere(visit.page, action.url)
    const cdp = await visit.page.context().newCDPSession(visit.page)
    try {
      const found = await deedOf(visit, cdp, action, timeoutMs)
      if ('kind' in found) return await withNotes(found, visit)
      return await seenAfter(visit, cdp, found)
    } finally {
      await cdp.detach().catch(() => undefined)
    }
  } catch (error) {
    if (visit.isGone()) return failed(goneText(action))
    return withNotes(failed(errorText(error)), visit)
  }
}

export function goneText({ action }: BrowserAction): string {
  const isUnknown = action === 'click' || action === 'fill' || action === 'evaluate'
  return `The browser ended during the call${isUnknown ? ', so whether it took effect is not known' : ''}. Open the page again with browser_navigate.`
}

async function deedOf(
  visit: Visit,
  cdp: CDPSession,
  action: BrowserAction,
  timeoutMs: number,
): Promise<Found | Failure> {
  const { page } = visit
  switch (action.action) {
    case 'navigate':
      return navigate(visit, cdp, action.url, timeoutMs)
    case 'text':
      return read(page, cdp, action, deedLimits.textBytes)
    case 'html':
      return read(page, cdp, action, deedLimits.htmlBytes)
    case 'screenshot':
      return photograph(page, cdp, action, timeoutMs)
    case 'click':
      return withElement(page, action, timeoutMs, async (element, left) => {
        await element.click({ timeout: left })
        await visit.quiet(longestQuiet)
        return {}
      })
    case 'fill':
      return withElement(page, action, timeoutMs, async (element, left) => {
        await element.fill(action.value, { timeout: left })
        return {}
      })
    case 'evaluate': {
      const { url, code } = action
      const origin = new URL(url).origin
      const outcome = await evaluateIn(cdp, { origin, code, timeoutMs, mostBytes: deedLimits.textBytes })
      if (outcome.kind === 'elsewhere') return elsewhere(page, url)
      if (outcome.kind === 'threw') return failed(`The code failed: ${outcome.message}`)
      await visit.quiet(longestQuiet)
      if (outcome.kind === 'left') return { notes: ['The page went elsewhere before the code ended.'] }
      return { text: outcome.text, truncated: outcome.truncated }
    }
  }
}

async function navigate(
  visit: Visit,
  cdp: CDPSession,
  url: string,
  timeoutMs: number,
): Promise<Found | Failure> {
  const { page } = visit
  if (!visit.isOpenTo(url)) return failed(`No approved call has named ${shortened(url)}. Nothing was opened.`)
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
  if (!visit.isOpenTo(page.url())) return failed('The page is not one that this call may open.')
  const seen = await readPage(cdp, { what: 'text', selector: null, mostBytes: deedLimits.textBytes })
  return 'error' in seen ? failed(seen.error) : { status, text: seen.text, truncated: seen.truncated }
}

async function read(
  page: Page,
  cdp: CDPSession,
  { action, url, selector }: Extract<BrowserAction, { action: 'text' | 'html' }>,
  mostBytes: number,
): Promise<Found | Failure> {
  const seen = await readPage(cdp, { what: action, selector, mostBytes })
  if ('error' in seen) return failed(`The selector is not CSS: ${seen.error}`)
  if (!isSamePage(seen.href, url)) return elsewhere(page, url)
  if (seen.found === 0) return nothingMatches(selector)
  return { text: seen.text, truncated: seen.truncated }
}

async function photograph(
  page: Page,
  cdp: CDPSession,
  { url, fullPage }: Extract<BrowserAction, { action: 'screenshot' }>,
  timeout: number,
): Promise<Found | Failure> {
  const seen = await readPage(cdp, { what: 'text', selector: null, mostBytes: 1 })
  if ('error' in seen) return failed(seen.error)
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 }
  const whole = Math.min(Math.max(Math.ceil(seen.height), height), deedLimits.imageHeight)
  const image = await page.screenshot({
    type: 'png',
    animations: 'disabled',
    timeout,
    ...(fullPage ? { fullPage, clip: { x: 0, y: 0, width, height: whole } } : {}),
  })
  if (!isAt(page, url)) return elsewhere(page, url)
  if (image.length > deedLimits.imageBytes)
    return failed('The picture is larger than 4 MB. Try without fullPage.')
  const isCut = fullPage && seen.height > deedLimits.imageHeight
  return {
    image,
    notes: isCut ? [`Only the first ${deedLimits.imageHeight} pixels of the page are in the picture.`] : [],
  }
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
  if (!isAt(page, url) || (await element.ownerFrame()) !== page.mainFrame()) return elsewhere(page, url)
  return use(element, Math.min(timeoutMs, longestTry))
}

const longestSearch = 5_000
const longestTry = 10_000

/** Some pages are never quiet. */
const longestQuiet = 4_000

async function seenAfter(visit: Visit, cdp: CDPSession, found: Found): Promise<BrowserSeen> {
  const strayed = await leaveStrangePlace(visit)
  const seen = await readPage(cdp, { what: 'text', selector: null, mostBytes: 1 })
  return {
    kind: 'seen',
    url: visit.page.url(),
    title: 'error' in seen ? '' : seen.title,
    status: found.status ?? null,
    text: found.text ?? '',
    truncated: found.truncated ?? false,
    image: found.image ?? null,
    notes: [...(found.notes ?? []), ...strayed, ...visit.takeNotes()],
  }
}

async function withNotes(failure: Failure, visit: Visit): Promise<Failure> {
  const strayed = await leaveStrangePlace(visit)
  return failed([failure.reason, ...strayed, ...visit.takeNotes()].join(' '))
}

/** What stands at a refused address is the proxy's answer and not a page. */
async function leaveStrangePlace(visit: Visit): Promise<string[]> {
  const { page } = visit
  const goal = visit.takeGoal()
  if (!visit.isOpenTo(page.url())) await page.goto('about:blank', { timeout: 5_000 }).catch(() => undefined)
  if (goal === undefined || visit.isOpenTo(goal)) return []
  return [
    `The page led to ${shortened(goal)}, which no approved call has named. Call browser_navigate with that address to go there.`,
  ]
}

function isAt(page: Page, url: string): boolean {
  return isSamePage(page.url(), url)
}

/** One origin and one path: what follows is the page's own business. */
function isSamePage(left: string, right: string): boolean {
  const [a, b] = [URL.parse(left), URL.parse(right)]
  return a !== null && b !== null && a.origin !== 'null' && a.origin === b.origin && a.pathname === b.pathname
}

function elsewhere(page: Page, url: string): Failure {
  const now = page.url()
  return failed(
    now === 'about:blank'
      ? 'No page is open. Call browser_navigate first. Nothing was done.'
      : `The page is at ${shortened(now)}, not at ${shortened(url)}. Nothing was done.`,
  )
}

function nothingMatches(selector: string | null): Failure {
  return failed(
    `Nothing on the page matches ${selector ?? 'the selector'}. Look at it with browser_extract_html.`,
  )
}

/** Without the colours and the log that the driver adds. */
function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  // oxlint-disable-next-line no-control-regex
  return firstLine(message.replace(/\u001b\[\d+m/g, '').replace(/^[a-zA-Z]+\.[a-zA-Z]+: /, ''))
}
