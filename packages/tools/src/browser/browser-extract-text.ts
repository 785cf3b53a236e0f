/** Gives the visible text of the page that is open in the browser. */
import { extractTool } from './extract.ts'

export const browserExtractText = extractTool({
  name: 'browser_extract_text',
  version: '2',
  description:
    'Get the visible text of the page that is open in the browser, as the last call left it, or of what a CSS selector finds.',
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
  action: 'text',
  what: 'the text',
})
