/** The rows of `countersign provider`. */
import { type CommandRow, needed, optional } from '../../command-row.ts'

export const providerSummary = 'who answers for the agent, and with which key'

const provider = needed('name', 'the name of a provider')

export const providerRows: readonly CommandRow[] = [
  {
    name: 'provider add',
    summary: 'add a provider, test it, and say what it costs; the key is asked for or read from stdin',
    arguments: [
      optional(
        'kind',
        'anthropic, openai, ollama … or local-embeddings; without it, what was found is offered',
      ),
    ],
    options: [
      { flags: '--name <name>', summary: 'what to call it; the kind unless it says so' },
      { flags: '--address <url>', summary: 'where it is, for a server of your own' },
      { flags: '--key-env', summary: 'take the key that lies in the environment of the gateway' },
      { flags: '--no-key', summary: 'the server wants no key' },
      { flags: '--timeout <duration>', summary: 'how long it may be silent; 60s' },
      { flags: '--priority <number>', summary: 'lower comes first; 100' },
      { flags: '--no-test', summary: 'do not make the one call that tests it' },
    ],
    examples: [
      'countersign provider add',
      'pass show anthropic | countersign provider add anthropic',
      'countersign provider add openai-compatible --name studio --address http://127.0.0.1:1234/v1 --no-key',
      'countersign provider add local-embeddings',
    ],
    load: async () => (await import('../provider.ts')).add,
  },
  {
    name: 'provider list',
    summary: 'list the providers, where their keys are, and how they do',
    arguments: [],
    options: [],
    examples: ['countersign provider list'],
    load: async () => (await import('../provider.ts')).list,
  },
  {
    name: 'provider test',
    summary: 'make one real call, and say how fast it was and what it cost',
    arguments: [optional('name', 'one provider; all of them without it')],
    options: [{ flags: '--model <model>', summary: 'with this model of the provider' }],
    examples: ['countersign provider test', 'countersign provider test ollama --model qwen3:8b'],
    load: async () => (await import('../provider.ts')).test,
  },
  {
    name: 'provider set',
    summary: 'change a provider',
    arguments: [provider],
    options: [
      { flags: '--address <url>', summary: 'where it is' },
      { flags: '--key', summary: 'a new key; it is asked for or read from stdin' },
      { flags: '--timeout <duration>', summary: 'how long it may be silent' },
      { flags: '--priority <number>', summary: 'lower comes first' },
      { flags: '--on', summary: 'use it' },
      { flags: '--off', summary: 'do not use it' },
    ],
    examples: [
      'countersign provider set openai --off',
      'pass show openai | countersign provider set openai --key',
    ],
    load: async () => (await import('../provider.ts')).set,
  },
  {
    name: 'provider rm',
    summary: 'forget a provider',
    arguments: [provider],
    options: [{ flags: '--yes', summary: 'do not ask again here' }],
    examples: ['countersign provider rm openai'],
    load: async () => (await import('../provider.ts')).remove,
  },
]
