/** Opens an address in the browser page of the session, and gives the page's text. */
import type { Effect, UrlResource } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { nameText } from '../text.ts'
import {
  alsoHosts,
  alsoReached,
  longestWait,
  noSecrets,
  otherHosts,
  pageLabel,
  pageResult,
  placeOf,
  waitForText,
  waitsFor,
  withoutSecrets,
} from './page.ts'

export const browserNavigate = defineTool({
  name: 'browser_navigate',
  version: '3',
  description:
    'Open a web page in the browser and get its text. During the call the page reaches only its own host and those in `also`; blocked hosts are named in the result. Each host has cookies of its own.',
  input: z.strictObject({
    url: nameText(8192).refine(withoutSecrets, noSecrets),
    also: alsoHosts,
    waitFor: waitForText,
  }),
  category: 'browser',
  group: 'browser',
  tags: [
    'open',
    'visit',
    'website',
    'site',
    'web page',
    'chromium',
    'surf',
    'go to',
    'browser',
    'tab',
    'log in',
    'javascript',
  ],
  effect: 'idempotent',
  floor: 2,
  output: pageLabel,
  runs: 'executor',
  sandbox: 'browser',
  egress: 'checked',
  describe: ({ url, also }) =>
    `Open ${url} in the browser${also.length > 0 ? `, with ${also.length === 1 ? 'one more host' : `${also.length} more hosts`}` : ''}`,
  preview: ({ url, also, waitFor }) => ({
    kind: 'text',
    title: 'Open in the browser',
    text: [url, ...alsoReached(also), ...waitsFor(waitFor)].join('\n'),
  }),
  async effects({ url, also }, inspect) {
    const page = inspect.url(url, 'GET')
    if (page.kind === 'refused') return { kind: 'invalid', reason: page.reason }
    const others = otherHosts(also, page.resource, inspect)
    if ('kind' in others) return others
    const resources: UrlResource[] = [
      { ...page.resource, redirects: 'same-host', carries: 'more' },
      ...others,
    ]
    return { kind: 'found', resources, effects: resources.map(fetching) }
  },
  async run({ url, waitFor }, capabilities, signal) {
    const deed = { action: 'navigate', url, ...(waitFor === undefined ? {} : { waitFor }) } as const
    const seen = await capabilities.browser.act(deed, longestWait, signal)
    return pageResult(seen, `Opened ${url}`, longestText)
  },
})

/** More of the page is for browser_extract_text. */
const longestText = 20_000

function fetching(resource: UrlResource): Effect {
  return {
    verb: 'fetch',
    object: placeOf(resource),
    scope: 'boundary',
    reversible: true,
    outward: false,
    leaves: ['the address'],
  }
}
