/** Gives the HTML of the page that is open in the browser. Sends nothing. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { longestWait, pageLabel, pageResult, pageUrl, seePage, selectorText } from './page.ts'

export const browserExtractHtml = defineTool({
  name: 'browser_extract_html',
  version: '1',
  description:
    'Get the HTML of the page that is open in the browser, or of what a CSS selector finds. Shows ids and classes for selectors.',
  input: z.strictObject({ url: pageUrl, selector: selectorText.nullable().default(null) }),
  category: 'browser',
  group: 'browser',
  tags: ['source', 'source code', 'markup', 'dom', 'scrape', 'web page', 'website', 'elements', 'links'],
  effect: 'pure',
  floor: 0,
  output: pageLabel,
  runs: 'executor',
  sandbox: 'browser',
  egress: 'checked',
  describe: ({ url, selector }) => `Read the HTML of ${selector === null ? url : `${selector} on ${url}`}`,
  preview: ({ url, selector }) => ({
    kind: 'text',
    title: 'Read in the browser',
    text: selector === null ? url : `${url}\n${selector}`,
  }),
  effects: async ({ url }, look) => seePage(url, look, 'read'),
  async run({ url, selector }, hands, signal) {
    const seen = await hands.browser.act({ action: 'html', url, selector }, longestWait, signal)
    return pageResult(seen, `Read the HTML of ${url}`)
  },
})
