/** Opens a web address in the browser of a node, with whatever that browser is signed in to. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { foundOnNode, nodeInput } from './device-effects.ts'
import { desktopTool, otherComputer } from './device-tool.ts'

export const deviceOpenAddress = defineTool({
  ...desktopTool,
  runs: 'node',
  name: 'device_open_address',
  version: '1',
  description: 'Open a web address in the browser of another computer of the operator.',
  input: z.strictObject({ ...nodeInput, url: nameText(2_000).refine(isWebAddress, 'is not a web address') }),
  tags: [...otherComputer, 'browser', 'page', 'website', 'show'],
  effect: 'once',
  floor: 3,
  capability: 'browser',
  describe: ({ node, url }) => `Open ${new URL(url).host} in the browser of ${node}`,
  preview: ({ node, url }) => ({ kind: 'text', title: `Open in the browser of ${node}`, text: url }),
  effects: ({ node, url }, inspect) =>
    foundOnNode(
      { node },
      inspect,
      { capability: 'browser', op: 'show', object: url, content: null },
      // It is asked for with everything that the browser there is signed in with.
      { verb: 'fetch', object: url, reversible: false, outward: true, leaves: ['the address'] },
    ),
  async run({ node, url }, { desktop: screen }, signal) {
    const outcome = await screen.open(url, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Opened ${new URL(url).host} on ${node}`
    return succeeded(summary, summary)
  },
})

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const plain = url?.protocol === 'https:' || url?.protocol === 'http:'
  // What is shown is what is opened: no name and password in it, and no other spelling.
  return plain && url.username === '' && url.password === '' && url.href === text
}
