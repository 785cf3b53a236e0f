/** Captures the screen of a node. The picture stays in its shared folder. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed } from '../result.ts'
import { foundOnNode, nodeInput } from './device-effects.ts'
import { desktopTool, otherComputer, pictureResult } from './device-tool.ts'

export const deviceCaptureScreen = defineTool({
  ...desktopTool,
  runs: 'node',
  name: 'device_capture_screen',
  version: '1',
  description:
    'Capture the screen of another computer of the operator. The picture is kept in its shared folder.',
  input: z.strictObject(nodeInput),
  tags: [...otherComputer, 'screenshot', 'picture'],
  effect: 'once',
  floor: 3,
  capability: 'screen',
  describe: ({ node }) => `Capture the screen of ${node}`,
  preview: ({ node }) => ({ kind: 'text', title: 'Capture the screen', text: node }),
  effects: ({ node }, inspect) =>
    foundOnNode(
      { node },
      inspect,
      { capability: 'screen', op: 'read', object: '', content: null },
      { verb: 'read', object: 'the screen', reversible: true },
    ),
  async run({ node }, { desktop: screen }, signal) {
    const outcome = await screen.captureScreen(signal)
    return outcome.kind === 'failed'
      ? failed(outcome.reason)
      : pictureResult(outcome, `Captured the screen of ${node}`)
  },
})
