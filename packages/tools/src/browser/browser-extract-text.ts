/** Gives the visible text of the page that is open in the browser. Sends nothing. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { longestWait, pageLabel, pageResult, pageUrl, seePage, selectorText } from './page.ts'

export const browserExtractText = defineTool({
  name: 'browser_extract_text',
  version: '1',
  description:
    'Get the visible text of the page that is open in the browser, or of what a CSS selector finds.',
  input: z.strictObject({ url: pageUrl, selector: selectorText.nullable().default(null) }),
  category: 'browser',
  group: 'browser',
  tags: [
    'read',
    'content',
    'scrape',
    'web page',
    'website',
    'get text',
    'field value',
    'open tab',
    'tab',
    'this page',
  ],
  effect: 'pure',
  floor: 0,
  output: pageLabel,
  runs: 'executor',
  sandbox: 'browser',
  egress: 'checked',
  describe: ({ url, selector }) => `Read the text of ${selector === null ? url : `${selector} on ${url}`}`,
  preview: ({ url, selector }) => ({
    kind: 'text',
    title: 'Read in the browser',
    text: selector === null ? url : `${url}\n${selector}`,
  }),
  effects: async ({ url }, look) => seePage(url, look, 'read'),
  async run({ url, selector }, hands, signal) {
    const seen = await hands.browser.act({ action: 'text', url, selector }, longestWait, signal)
    return pageResult(seen, `Read the text of ${url}`)
  },
})
