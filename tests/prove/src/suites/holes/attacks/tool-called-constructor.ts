/** A server calls a tool by the name of what every object has, so that on the screen nothing of the server can be accepted. */
import type { InstalledServer, ListedTool } from '@countersign/contract'
import {
  acceptanceArgs,
  type Choices,
} from '../../../../../../packages/web/src/screens/extensions/acceptance.ts'
import type { Attack } from '../attack.ts'

const names = ['constructor', 'toString', 'hasOwnProperty']
const listed = (name: string): ListedTool => ({
  name,
  title: null,
  description: '',
  input: { type: 'object' },
  output: null,
  annotations: {},
})
const server: InstalledServer = {
  name: 'odd',
  launch: { kind: 'http', url: 'https://odd.test/mcp', secret: null },
  launchHash: 'a'.repeat(64),
  tools: [],
  offered: ['look', ...names].map(listed),
  gone: [],
  listedAt: null,
  paused: false,
  addedAt: '',
}

export const attack: Attack = {
  name: 'tool-called-constructor',
  promise: 'What the operator accepts on the screen is what they chose there, by whatever name it goes.',
  mutant: 'every-object-has-choices',
  async run() {
    const choose = (choices: Choices) => acceptanceArgs(server, undefined, choices)?.tools ?? []
    const asked = choose({ look: '2' })
    const chosen = choose(Object.fromEntries([['constructor', '3']]))
    const told = (tools: typeof asked) => tools.map(({ tool, tier }) => `${tool.name}=${tier}`).join(', ')
    return {
      open: asked.some(({ tool }) => names.includes(tool.name)),
      control: told(chosen).includes('constructor=3') && told(asked).includes('look=2'),
      saw: `asked for: ${told(asked)}; where one was chosen: ${told(chosen)}`,
    }
  },
}
