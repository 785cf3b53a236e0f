/** Writes a value into a field of the page that is open in the browser. Refuses secrets. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { sizeOf } from '../result.ts'
import {
  alsoHosts,
  alsoReached,
  longestWait,
  noSecrets,
  pageLabel,
  pageResult,
  pageUrl,
  selectorText,
  sendingPage,
  withoutSecrets,
} from './page.ts'

export const browserFill = defineTool({
  name: 'browser_fill',
  version: '2',
  description:
    'Write a value into one field of the page that is open in the browser. The selector is CSS, or text=Words, and must find one field. During the call the page reaches only its own host and those in `also`.',
  input: z.strictObject({
    url: pageUrl,
    selector: selectorText,
    value: z
      .string()
      .max(100_000)
      .refine((text) => text.isWellFormed(), 'is not well-formed text')
      .refine(withoutSecrets, noSecrets),
    also: alsoHosts,
  }),
  category: 'browser',
  group: 'browser',
  tags: [
    'type',
    'type in',
    'enter',
    'input',
    'form',
    'fill in',
    'fill out',
    'field',
    'write',
    'web page',
    'login',
    'automation',
    'box',
    'search box',
  ],
  effect: 'once',
  floor: 3,
  output: pageLabel,
  runs: 'executor',
  sandbox: 'browser',
  egress: 'checked',
  describe: ({ url, selector, value }) => `Fill ${selector} on ${url} (${sizeOf(Buffer.byteLength(value))})`,
  preview: ({ url, selector, value, also }) => ({
    kind: 'text',
    title: 'Fill in the browser',
    text: `${[url, selector, ...alsoReached(also)].join('\n')}\n\n${value}`,
  }),
  effects: async ({ url, value, also }, inspect) =>
    sendingPage(url, also, inspect, `a value of ${sizeOf(Buffer.byteLength(value))}`),
  async run({ url, selector, value }, capabilities, signal) {
    const seen = await capabilities.browser.act({ action: 'fill', url, selector, value }, longestWait, signal)
    return pageResult(seen, `Filled ${selector} on ${url}`)
  },
})
