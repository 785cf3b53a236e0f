/** Owns the tools that read the page which is open in the browser, as the last call left it. They send nothing. */
import { z } from 'zod'
import { defineTool, type ToolDefinition } from '../definition.ts'
import { longestWait, pageLabel, pageResult, pageUrl, readingPage, selectorText } from './page.ts'

export interface Extract {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly tags: readonly string[]
  readonly action: 'text' | 'html'
  /** What is read, as in "the text". */
  readonly what: string
}

export function extractTool({ name, version, description, tags, action, what }: Extract): ToolDefinition {
  return defineTool({
    name,
    version,
    description,
    input: z.strictObject({ url: pageUrl, selector: selectorText.nullable().default(null) }),
    category: 'browser',
    group: 'browser',
    tags,
    effect: 'pure',
    floor: 0,
    output: pageLabel,
    runs: 'executor',
    sandbox: 'browser',
    egress: 'checked',
    describe: ({ url, selector }) => `Read ${what} of ${selector === null ? url : `${selector} on ${url}`}`,
    preview: ({ url, selector }) => ({
      kind: 'text',
      title: 'Read in the browser',
      text: selector === null ? url : `${url}\n${selector}`,
    }),
    effects: async ({ url }, inspect) => readingPage(url, inspect),
    async run({ url, selector }, capabilities, signal) {
      const seen = await capabilities.browser.act({ action, url, selector }, longestWait, signal)
      return pageResult(seen, `Read ${what} of ${url}`)
    },
  })
}
