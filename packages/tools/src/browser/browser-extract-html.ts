/** Gives the HTML of the page that is open in the browser. */
import { extractTool } from './extract.ts'

export const browserExtractHtml = extractTool({
  name: 'browser_extract_html',
  version: '2',
  description:
    'Get the HTML of the page that is open in the browser, as the last call left it, or of what a CSS selector finds. Shows ids and classes for selectors.',
  tags: ['source', 'source code', 'markup', 'dom', 'scrape', 'web page', 'website', 'elements', 'links'],
  action: 'html',
  what: 'the HTML',
})
