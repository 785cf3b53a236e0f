/** Owns how the browser tools name a page, bind it and word what was seen of it. */
import { type Effect, type Label, secretsIn, type ToolResult } from '@countersign/contract'
import { z } from 'zod'
import type { Found } from '../definition.ts'
import type { BrowserSeen, Failure } from '../hands.ts'
import type { Look } from '../look.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'

export const longestWait = 30_000

/** What a page says, anybody may have written. */
export const pageLabel: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }

export const pageUrl = nameText(8192).describe('The page that is open.')
export const selectorText = nameText(1000)

/** A page could read the value and send it anywhere, so none is put in here. */
export const withoutSecrets = (text: string) => secretsIn(text).length === 0
export const noSecrets = 'cannot hold a secret: a page could read it'

/** The one page that a call reads or changes. */
export function seePage(url: string, look: Look, effect: 'read' | { readonly leaves: string[] }): Found {
  const sight = look.url(url, effect === 'read' ? 'GET' : 'POST')
  if (sight.kind === 'refused') return { kind: 'invalid', reason: sight.reason }
  const { scheme, host, port } = sight.resource
  const object = `${scheme}://${host}:${port}`
  const reading: Effect = {
    verb: 'read',
    object,
    scope: 'inside',
    reversible: true,
    outward: false,
    leaves: [],
  }
  const sending = (leaves: string[]): Effect => ({
    verb: 'send',
    object,
    scope: 'boundary',
    reversible: false,
    outward: true,
    leaves,
  })
  return {
    kind: 'found',
    resources: [{ ...sight.resource, carries: 'more' }],
    effects: [effect === 'read' ? reading : sending(effect.leaves)],
  }
}

export function pageResult(seen: BrowserSeen | Failure, summary: string, longest = Infinity): ToolResult {
  if (seen.kind === 'failed') return failed(seen.reason)
  const isCut = seen.truncated || seen.text.length > longest
  const head = [
    `Page: ${seen.url}`,
    ...(seen.title === '' ? [] : [`Title: ${seen.title}`]),
    ...(seen.status === null ? [] : [`Status: ${seen.status}`]),
    ...seen.notes,
  ].join('\n')
  const body = `${seen.text.slice(0, longest).toWellFormed()}${isCut ? '\n[cut]' : ''}`
  return succeeded(body === '' ? head : `${head}\n\n${body}`, summary)
}

export const hostText = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,253}(:\d{1,5})?$/, 'must be a host, or a host and a port')
