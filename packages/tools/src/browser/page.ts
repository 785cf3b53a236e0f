/** Owns how the browser tools name a page, bind it and word what was seen of it. */
import {
  type Effect,
  joinLabels,
  type Label,
  secretsIn,
  type ToolResult,
  type UrlResource,
} from '@countersign/contract'
import { z } from 'zod'
import type { BrowserResult, Failure } from '../capabilities.ts'
import type { EffectsResult } from '../definition.ts'
import type { Inspector } from '../inspector.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'

export const longestWait = 30_000

/** What a page says, anybody may have written. */
export const pageLabel: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }

export const pageUrl = nameText(8192).describe('The page that is open.')
export const selectorText = nameText(1000)
export const waitForText = selectorText
  .exactOptional()
  .describe('Waits at most 15 s until an element is seen that this selector finds')

/** A page could read the value and send it anywhere, so none is put in here. */
export const withoutSecrets = (text: string) => secretsIn(text).length === 0
export const noSecrets = 'cannot hold a secret: a page could read it'

/** The one page that a call reads. It is read as the last call left it, so nothing is sent. */
export function readingPage(url: string, inspect: Inspector): EffectsResult {
  const inspection = inspect.url(url, 'GET')
  if (inspection.kind === 'refused') return { kind: 'invalid', reason: inspection.reason }
  const reading: Effect = {
    verb: 'read',
    object: placeOf(inspection.resource),
    scope: 'inside',
    reversible: true,
    outward: false,
    leaves: [],
  }
  return { kind: 'found', resources: [{ ...inspection.resource, carries: 'more' }], effects: [reading] }
}

/** The one page that a call acts on, and the other hosts that the page may send to while it does. */
export function sendingPage(
  url: string,
  also: readonly string[],
  inspect: Inspector,
  leaves: string,
): EffectsResult {
  const inspection = inspect.url(url, 'POST')
  if (inspection.kind === 'refused') return { kind: 'invalid', reason: inspection.reason }
  const others = otherHosts(also, inspection.resource, inspect)
  if ('kind' in others) return others
  const resources: UrlResource[] = [{ ...inspection.resource, carries: 'more' }, ...others]
  const effects = resources.map(
    (resource): Effect => ({
      verb: 'send',
      object: placeOf(resource),
      scope: 'boundary',
      reversible: false,
      outward: true,
      leaves: [leaves],
    }),
  )
  return { kind: 'found', resources, effects }
}

/** The hosts that a page may reach beside its own, while the call lasts. */
export function otherHosts(
  also: readonly string[],
  page: UrlResource,
  inspect: Inspector,
): UrlResource[] | { readonly kind: 'invalid'; readonly reason: string } {
  const resources: UrlResource[] = []
  for (const host of new Set(also)) {
    const other = inspect.url(`${page.scheme}://${host}/`, 'CONNECT')
    if (other.kind === 'refused') return { kind: 'invalid', reason: `${host}: ${other.reason}` }
    resources.push({ ...other.resource, carries: 'more' })
  }
  return resources
}

export function placeOf({ scheme, host, port }: UrlResource): string {
  return `${scheme}://${host}:${port}`
}

/** As a card says it, in a line. */
export function waitsFor(selector: string | undefined): string[] {
  return selector === undefined ? [] : [`waits for ${selector}`]
}

/** As a card lists them, one a line. */
export function alsoReached(also: readonly string[]): string[] {
  return also.map((host) => `also reaches ${host}`)
}

export function pageResult(seen: BrowserResult | Failure, summary: string, longest = Infinity): ToolResult {
  if (seen.kind === 'failed') return failed(seen.reason)
  const isCut = seen.truncated || seen.text.length > longest
  const head = [
    `Page: ${seen.url}`,
    ...(seen.title === '' ? [] : [`Title: ${seen.title}`]),
    ...(seen.status === null ? [] : [`Status: ${seen.status}`]),
    ...seen.notes,
  ].join('\n')
  const body = `${seen.text.slice(0, longest).toWellFormed()}${isCut ? '\n[cut]' : ''}`
  return worthOf(seen, succeeded(body === '' ? head : `${head}\n\n${body}`, summary))
}

/** A page shows what was put into it, also to a later task, which did not put it there. */
export function worthOf({ knows }: BrowserResult, result: ToolResult): ToolResult {
  return knows ? { ...result, label: joinLabels(pageLabel, knows) } : result
}

const hostText = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,253}(:\d{1,5})?$/, 'must be a host, or a host and a port')

export const alsoHosts = z.array(hostText).max(16).default([])
