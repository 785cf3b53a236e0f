/** Shows a notification on a node. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { foundOnNode, nodeInput } from './device-effects.ts'
import { desktopTool, otherComputer } from './device-tool.ts'

export const deviceNotify = defineTool({
  ...desktopTool,
  runs: 'node',
  name: 'device_notify',
  version: '1',
  description: 'Show a notification on another computer of the operator.',
  input: z.strictObject({ ...nodeInput, title: nameText(120), text: nameText(1_000) }),
  tags: [...otherComputer, 'notification', 'alert', 'remind', 'message', 'tell'],
  effect: 'once',
  floor: 2,
  capability: 'notifications',
  describe: ({ node, title }) => `Show “${title.trim()}” on ${node}`,
  preview: ({ node, title, text }) => ({ kind: 'text', title: `Notification on ${node}: ${title}`, text }),
  effects: ({ node }, inspect) =>
    foundOnNode(
      { node },
      inspect,
      { capability: 'notifications', op: 'show', object: '', content: null },
      { verb: 'ask', object: 'a notification', reversible: false },
    ),
  async run({ node, title, text }, { desktop: screen }, signal) {
    const outcome = await screen.notify({ title, text }, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    return succeeded(`Shown on ${node}`, `Shown on ${node}`)
  },
})
