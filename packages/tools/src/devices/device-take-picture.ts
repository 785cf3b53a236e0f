/** Takes a picture with the camera of a node. It stays in its shared folder. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed } from '../result.ts'
import { foundOnNode, nodeInput } from './device-effects.ts'
import { desktopTool, otherComputer, pictureResult } from './device-tool.ts'

export const deviceTakePicture = defineTool({
  ...desktopTool,
  runs: 'node',
  name: 'device_take_picture',
  version: '1',
  description:
    'Take a picture with the camera of another computer of the operator. It is kept in its shared folder.',
  input: z.strictObject(nodeInput),
  tags: [...otherComputer, 'camera', 'photo', 'webcam'],
  effect: 'once',
  floor: 3,
  capability: 'camera',
  describe: ({ node }) => `Take a picture with the camera of ${node}`,
  preview: ({ node }) => ({ kind: 'text', title: 'Take a picture', text: node }),
  effects: ({ node }, inspect) =>
    foundOnNode(
      { node },
      inspect,
      { capability: 'camera', op: 'read', object: '', content: null },
      { verb: 'read', object: 'what the camera sees', reversible: true },
    ),
  async run({ node }, { desktop: camera }, signal) {
    const outcome = await camera.takePicture(signal)
    return outcome.kind === 'failed'
      ? failed(outcome.reason)
      : pictureResult(outcome, `Took a picture on ${node}`)
  },
})
