/**
 * Owns what is done with a page. Refuses to do anything on another page than the one that was approved, and to leave
 * the page at a place that the call does not name.
 */
import type { BrowserAction, BrowserResult, Failure } from '@countersign/tools'
import type { CDPSession, ElementHandle, Page } from 'playwright-core'
import { failure } from '../capabilities/failure.ts'
import { firstLine } from './cut-text.ts'
import { evaluateIn } from './evaluation.ts'
import { elsewhere, isSamePage, nothingMatches, shortened } from './page-address.ts'
import type { PageRead } from './reading.ts'
import { type PageSnapshot, snapshotLimits, takeSnapshot } from './snapshot.ts'
import type { Visit } from './visit.ts'

export type PageAction = Exclude<BrowserAction, PageRead>

export interface PageActionEnd {
  readonly outcome: BrowserResult | Failure
  /** The page as the deed left it; undefined if it could not be read. */
  readonly snapshot: PageSnapshot | undefined
}

/** What a deed found, apart from where the page is when it has ended. */
interface ActionResult {
  readonly status?: number | null
  readonly text?: string
  readonly truncated?: boolean
  readonly notes?: readonly string[]
}

/** Resolves even on failure; only a page that does not answer keeps it waiting. */
export async function perform(visit: Visit, action: PageAction, timeoutMs: number): Promise<PageActionEnd> {
  visit.takeGoal()
  let cdp: CDPSession | undefined
  let found: ActionResult | Failure
  try {
    cdp = await visit.page.context().newCDPSession(visit.page)
    found =
      action.action !== 'navigate' && !isAt(visit.page, action.url)
        ? elsewhere(visit.page.url(), action.url)
        : await actionOn(visit, cdp, action, timeoutMs)
  } catch (error) {
    found = failure(visit.isGone() ? goneText(action) : errorText(error))
  }
  try {
    return await conclude(visit, cdp, action, found)
  } finally {
    await cdp?.detach().catch(() => undefined)
  }
}

export function goneText({ action }: PageAction): string {
  const isUnknown = action !== 'navigate'
  return `The browser ended during the call${isUnknown ? ', so whether it took effect is not known' : ''}. Open the page again with browser_navigate.`
}

async function conclude(
  visit: Visit,
  cdp: CDPSession | undefined,
  action: PageAction,
  found: ActionResult | Failure,
): Promise<PageActionEnd> {
  const strayed = await leaveStrangePage(visit)
  let snapshot: PageSnapshot | undefined
  let problem: string | undefined
  try {
    if (cdp) snapshot = await takeSnapshot(cdp)
  } catch (error) {
    problem = visit.isGone() ? goneText(action) : `The page could not be read: ${errorText(error)}`
  }
  const notes = [...strayed, ...visit.takeNotes()]
  if ('kind' in found) return { outcome: failure([found.reason, ...notes].join(' ')), snapshot }
  if (problem !== undefined && action.action === 'navigate')
    return { outcome: failure([problem, ...notes].join(' ')), snapshot }
  const isOpened = action.action === 'navigate'
  const outcome: BrowserResult = {
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

async function actionOn(
  visit: Visit,
  cdp: CDPSession,
  action: PageAction,
  timeoutMs: number,
): Promise<ActionResult | Failure> {
  const { page } = visit
  const until = performance.now() + timeoutMs
  switch (action.action) {
    case 'navigate':
      return navigate(visit, action, until)
    case 'click':
      return withElement(page, action, timeoutMs, async (element, left) => {
        await element.click({ timeout: left })
        await visit.quiet(longestQuiet)
        return { notes: await appeared(page, action.waitFor, until) }
      })
    case 'fill':
      return withElement(page, action, timeoutMs, async (element, left) => {
        await element.fill(action.value, { timeout: left })
        await visit.quiet(longestQuiet)
        return {}
      })
    case 'evaluate': {
      const { url, code } = action
      const origin = new URL(url).origin
      const mostBytes = snapshotLimits.textBytes
      const outcome = await evaluateIn(cdp, { origin, code, timeoutMs, mostBytes })
      if (outcome.kind === 'elsewhere') return elsewhere(page.url(), url)
      if (outcome.kind === 'threw') return failure(`The code failed: ${outcome.message}`)
      await visit.quiet(longestQuiet)
      if (outcome.kind === 'left') return { notes: ['The page went elsewhere before the code ended.'] }
      return { text: outcome.text, truncated: outcome.truncated }
    }
  }
}

async function navigate(
  visit: Visit,
  { url, waitFor }: { readonly url: string; readonly waitFor?: string },
  until: number,
): Promise<ActionResult | Failure> {
  const { page } = visit
  if (!visit.isOpenTo(url))
    return failure(`The approved call does not name ${shortened(url)}. Nothing was opened.`)
  let status: number | null
  try {
    const response = await page.goto(url, {
      waitUntil: 'domcontentloaded',
      timeout: until - performance.now(),
    })
    status = response?.status() ?? null
  } catch (error) {
    const text = errorText(error)
    return failure(
      /Download is starting/.test(text)
        ? 'The address is a download, and the browser keeps none. Fetch it with http_request.'
        : text,
    )
  }
  await visit.quiet(longestQuiet)
  const notes = await appeared(page, waitFor, until)
  if (!visit.isOpenTo(page.url())) return failure('The page is not one that this call may open.')
  return { status, notes }
}

/** What was waited for in vain, in a sentence: the page is there all the same. */
async function appeared(page: Page, selector: string | undefined, until: number): Promise<string[]> {
  if (selector === undefined) return []
  const timeout = Math.max(1, Math.min(longestAppear, until - performance.now()))
  try {
    await page.locator(selector).first().waitFor({ state: 'visible', timeout })
    return []
  } catch (error) {
    const why = /Timeout/.test(String(error)) ? '' : ` (${errorText(error)})`
    return [`Nothing that ${JSON.stringify(selector)} finds was seen in time${why}.`]
  }
}

/** The element belongs to the document that was approved; if that one goes, so does the element. */
async function withElement(
  page: Page,
  { url, selector }: { readonly url: string; readonly selector: string },
  timeoutMs: number,
  use: (element: ElementHandle, left: number) => Promise<ActionResult>,
): Promise<ActionResult | Failure> {
  const patience = Math.min(timeoutMs, longestSearch)
  let element: ElementHandle
  try {
    element = await page.locator(selector).elementHandle({ timeout: patience })
  } catch (error) {
    return /Timeout/.test(String(error)) ? nothingMatches(selector) : failure(errorText(error))
  }
  if (!isAt(page, url) || (await element.ownerFrame()) !== page.mainFrame()) return elsewhere(page.url(), url)
  return use(element, Math.min(timeoutMs, longestTry))
}

const longestSearch = 5_000
const longestTry = 10_000
const longestAppear = 15_000

/** Some pages are never quiet. */
const longestQuiet = 4_000

/** What stands at a refused address is the proxy's answer and not a page. */
async function leaveStrangePage(visit: Visit): Promise<string[]> {
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
