/** A coding agent uses the way to its model to ask the same host for something else, or another host. */
import type { Attack } from '../attack.ts'
import { workOfAgent } from '../coding-agent.ts'

export const attack: Attack = {
  name: 'agent-reaches-elsewhere',
  promise:
    'A coding agent reaches the model service that the operator named, below its address, and nothing else.',
  mutant: 'agents-reach-everything',
  async run(stage) {
    const post = (address: string) => `curl -sS -m 10 --noproxy '*' -X POST -d '{}' ${address} 2>&1`
    const { told, paths } = await workOfAgent(stage, [
      { command: post('http://127.0.0.1:3128/account/keys') },
      { command: post('http://127.0.0.1:3128/v1/../account/keys --path-as-is') },
      {
        command:
          'curl -sS -m 10 -x http://127.0.0.1:3128 -X POST -d "{}" http://example.org/account/keys 2>&1',
      },
    ])
    return {
      open: paths.some((path) => path.includes('account')) || told.some((text) => text.includes('reached":')),
      control: told.length === 3 && paths.filter((path) => path === '/v1/chat/completions').length === 4,
      saw: `the service was asked for ${[...new Set(paths)].join(', ')}`,
    }
  },
}
