/** Clicks on one element of the page that is open in the browser. What the page does then, nobody can list. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import {
  alsoHosts,
  alsoReached,
  longestWait,
  pageLabel,
  pageResult,
  pageUrl,
  selectorText,
  sendingPage,
  waitForText,
  waitsFor,
} from './page.ts'

export const browserClick = defineTool({
  name: 'browser_click',
  version: '3',
  description:
    'Click on one element of the page that is open in the browser. The selector is CSS, or text=Words, and must find one element. During the call the page reaches only its own host and those in `also`.',
  input: z.strictObject({ url: pageUrl, selector: selectorText, also: alsoHosts, waitFor: waitForText }),
  category: 'browser',
  group: 'browser',
  tags: ['press', 'button', 'link', 'submit', 'tap', 'accept', 'web page', 'form', 'automation'],
  effect: 'once',
  floor: 3,
  output: pageLabel,
  runs: 'executor',
  sandbox: 'browser',
  egress: 'checked',
  describe: ({ url, selector }) => `Click ${selector} on ${url}`,
  preview: ({ url, selector, also, waitFor }) => ({
    kind: 'text',
    title: 'Click in the browser',
    text: [url, selector, ...alsoReached(also), ...waitsFor(waitFor)].join('\n'),
  }),
  effects: async ({ url, also }, inspect) =>
    sendingPage(url, also, inspect, 'what the page sends when it is clicked'),
  async run({ url, selector, waitFor }, capabilities, signal) {
    const deed = { action: 'click', url, selector, ...(waitFor === undefined ? {} : { waitFor }) } as const
    const seen = await capabilities.browser.act(deed, longestWait, signal)
    return pageResult(seen, `Clicked ${selector} on ${url}`)
  },
})
