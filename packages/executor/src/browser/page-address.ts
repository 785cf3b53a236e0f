/** Owns how the page that a call names is compared with the page that is there. */
import type { Failure } from '@countersign/tools'
import { failure } from '../capabilities/failure.ts'

export const nothingOpen = 'No page is open. Call browser_navigate first. Nothing was done.'

/** One origin and one path: what follows is the page's own business. */
export function isSamePage(left: string, right: string): boolean {
  const [a, b] = [URL.parse(left), URL.parse(right)]
  return a !== null && b !== null && a.origin !== 'null' && a.origin === b.origin && a.pathname === b.pathname
}

export function elsewhere(now: string, url: string): Failure {
  return failure(
    now === 'about:blank'
      ? nothingOpen
      : `The page is at ${shortened(now)}, not at ${shortened(url)}. Nothing was done.`,
  )
}

export function nothingMatches(selector: string): Failure {
  return failure(`Nothing on the page matches ${selector}. Look at it with browser_extract_html.`)
}

export function shortened(url: string): string {
  return url.length > 500 ? `${url.slice(0, 500)}…` : url
}
