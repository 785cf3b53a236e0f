/** Reads the text in the clipboard of a node. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { foundOnNode, nodeInput } from './device-effects.ts'
import { desktopTool, otherComputer } from './device-tool.ts'

export const deviceReadClipboard = defineTool({
  ...desktopTool,
  runs: 'node',
  name: 'device_read_clipboard',
  version: '1',
  description: 'Read the text in the clipboard of another computer of the operator.',
  input: z.strictObject(nodeInput),
  tags: [...otherComputer, 'clipboard', 'paste', 'copied'],
  effect: 'pure',
  floor: 3,
  capability: 'clipboard',
  describe: ({ node }) => `Read the clipboard of ${node}`,
  preview: ({ node }) => ({ kind: 'text', title: 'Read the clipboard', text: node }),
  effects: ({ node }, inspect) =>
    foundOnNode(
      { node },
      inspect,
      { capability: 'clipboard', op: 'read', object: '', content: null },
      { verb: 'read', object: 'the clipboard', reversible: true },
    ),
  async run({ node }, { desktop: clipboard }, signal) {
    const outcome = await clipboard.readClipboard(signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const cut = outcome.truncated ? '\n[the rest was left out]' : ''
    return succeeded(`${outcome.text}${cut}` || '(empty)', `Read the clipboard of ${node}`)
  },
})
