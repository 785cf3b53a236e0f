/** Runs a piece of JavaScript in the page that is open in the browser. Refuses secrets. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { commandText } from '../text.ts'
import {
  alsoHosts,
  alsoReached,
  longestWait,
  noSecrets,
  pageLabel,
  pageResult,
  pageUrl,
  sendingPage,
  withoutSecrets,
} from './page.ts'

export const browserEvaluate = defineTool({
  name: 'browser_evaluate',
  version: '2',
  description:
    'Run JavaScript in the page that is open in the browser. The last value is returned as JSON; await works. During the call the page reaches only its own host and those in `also`.',
  input: z.strictObject({
    url: pageUrl,
    code: commandText(50_000).refine(withoutSecrets, noSecrets),
    also: alsoHosts,
  }),
  category: 'browser',
  group: 'browser',
  tags: ['javascript', 'script', 'console', 'code', 'dom', 'execute', 'web page', 'scrape'],
  effect: 'once',
  floor: 3,
  output: pageLabel,
  runs: 'executor',
  sandbox: 'browser',
  egress: 'checked',
  describe: ({ url }) => `Run JavaScript on ${url}`,
  preview: ({ url, code, also }) => ({
    kind: 'code',
    title: [`Run on ${url}`, ...alsoReached(also)].join(', '),
    language: 'javascript',
    code,
  }),
  effects: async ({ url, also }, inspect) => sendingPage(url, also, inspect, 'what the code sends'),
  async run({ url, code }, capabilities, signal) {
    const seen = await capabilities.browser.act({ action: 'evaluate', url, code }, longestWait, signal)
    return pageResult(seen, `Ran JavaScript on ${url}`)
  },
})
