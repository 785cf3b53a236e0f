/** Finds out where a node is. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { foundOnNode, nodeInput } from './device-effects.ts'
import { desktopTool, otherComputer } from './device-tool.ts'

export const deviceLocation = defineTool({
  ...desktopTool,
  runs: 'node',
  name: 'device_location',
  version: '1',
  description: 'Find out where another computer of the operator is.',
  input: z.strictObject(nodeInput),
  tags: [...otherComputer, 'location', 'place', 'gps', 'coordinates'],
  effect: 'pure',
  floor: 3,
  capability: 'location',
  describe: ({ node }) => `Find out where ${node} is`,
  preview: ({ node }) => ({ kind: 'text', title: 'Find out the place', text: node }),
  effects: ({ node }, inspect) =>
    foundOnNode(
      { node },
      inspect,
      { capability: 'location', op: 'read', object: '', content: null },
      { verb: 'read', object: 'the place', reversible: true },
    ),
  async run({ node }, { desktop: place }, signal) {
    const outcome = await place.locate(signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { latitude, longitude, accuracyMetres } = outcome
    return succeeded(JSON.stringify({ latitude, longitude, accuracyMetres }), `Found the place of ${node}`)
  },
})
