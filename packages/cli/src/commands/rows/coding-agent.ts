/** The rows of `countersign coding-agent`. */
import { type CommandRow, needed } from '../../command-row.ts'

export const codingAgentSummary = 'programs that write code, over the Agent Client Protocol'

const named = needed('name', 'name, such as claude-code, codex, gemini-cli, opencode, pi or one of your own')

export const codingAgentRows: readonly CommandRow[] = [
  {
    name: 'coding-agent list',
    summary: 'list the agents that are added, and those that are known',
    arguments: [],
    options: [],
    examples: ['countersign coding-agent list', 'countersign coding-agent list --json'],
    load: async () => (await import('../coding-agent.ts')).list,
  },
  {
    name: 'coding-agent add',
    summary: 'add an agent, or change one: the command, its model service and the key in the vault',
    arguments: [
      named,
      { name: 'command', summary: 'command that speaks the protocol, after --', required: false, many: true },
    ],
    options: [
      { flags: '--endpoint <url>', summary: 'address of the model service; all that it may reach' },
      { flags: '--protocol <name>', summary: 'openai, anthropic or google' },
      { flags: '--model <model>', summary: 'model that it asks' },
      { flags: '--key <secret>', summary: 'secret that is added to its requests outside the sandbox' },
      { flags: '--folder <path>', summary: 'folder with the program, at /opt/agent inside the sandbox' },
      { flags: '--prices <in,out>', summary: 'dollars for a million tokens, so that a budget can be kept' },
    ],
    examples: [
      'countersign coding-agent add claude-code --model claude-sonnet-4-5 --key anthropic',
      'countersign coding-agent add opencode --endpoint http://127.0.0.1:11434/v1 --model qwen3-coder',
      'countersign coding-agent add mine --folder /srv/mine --endpoint https://api.example.com/v1 --model m --prices 0.5,2 -- /opt/agent/bin/mine --acp',
    ],
    load: async () => (await import('../coding-agent.ts')).add,
  },
  {
    name: 'coding-agent remove',
    summary: 'remove an agent',
    arguments: [named],
    options: [],
    examples: ['countersign coding-agent remove opencode'],
    load: async () => (await import('../coding-agent.ts')).remove,
  },
]
