/** Tells which coding agents the operator added, and whether each can work. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { succeeded } from '../result.ts'

export const listCodingAgents = defineTool({
  name: 'list_coding_agents',
  version: '1',
  description: 'List the coding agents that run_coding_task can give work to, and whether each is installed.',
  input: z.strictObject({}),
  category: 'coding',
  group: 'codingAgents',
  tags: ['coding agents', 'claude', 'codex', 'gemini', 'opencode', 'available', 'installed'],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'none',
  egress: 'none',
  describe: () => 'List the coding agents',
  preview: () => ({ kind: 'text', title: 'Coding agents', text: 'Which are added, and which are installed' }),
  effects: async () => ({
    kind: 'found',
    resources: [],
    effects: [
      {
        verb: 'list',
        object: 'coding agents',
        scope: 'inside',
        reversible: true,
        outward: false,
        leaves: [],
      },
    ],
  }),
  async run(_args, { codingAgents }) {
    const names = codingAgents.names()
    const agents = await Promise.all(
      names.map(async (name) => {
        const found = await codingAgents.find(name)
        return {
          name,
          installed: found?.program !== undefined,
          command: found?.agent.command.join(' ') ?? '',
          service: found ? new URL(found.agent.endpoint).host : '',
          model: found?.agent.model ?? '',
          key: found?.agent.key === undefined ? 'none' : 'from the vault',
          prices: found?.agent.prices ?? null,
        }
      }),
    )
    const hint = names.length === 0 ? { add: 'countersign coding-agent add --help' } : {}
    return succeeded(JSON.stringify({ agents, ...hint }), `${names.length} coding agents`)
  },
})
