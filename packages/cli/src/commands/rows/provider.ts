/** The rows of `countersign provider`. */
import { type CommandRow, needed, optional } from '../../command-row.ts'

export const providerSummary = 'model providers and their keys'

const provider = needed('name', 'the name of a provider')

export const providerRows: readonly CommandRow[] = [
  {
    name: 'provider add',
    summary: 'add and test a provider; prompts for the key or reads it from stdin',
    arguments: [
      optional(
        'kind',
        'kind: anthropic, openai, ollama …, local-embeddings or local-speech (default: offer what was found)',
      ),
    ],
    options: [
      { flags: '--name <name>', summary: 'name (default: the kind)' },
      { flags: '--address <url>', summary: 'address of your own server' },
      { flags: '--key-env', summary: "use the key in the gateway's environment" },
      { flags: '--no-key', summary: 'the server needs no key' },
      { flags: '--timeout <duration>', summary: 'response timeout (default: 60s)' },
      { flags: '--priority <number>', summary: 'priority; lower comes first (default: 100)' },
      { flags: '--no-test', summary: 'skip the test call' },
    ],
    examples: [
      'countersign provider add',
      'pass show anthropic | countersign provider add anthropic',
      'countersign provider add openai-compatible --name studio --address http://127.0.0.1:1234/v1 --no-key',
      'countersign provider add bedrock --address https://bedrock-runtime.eu-central-1.amazonaws.com',
      'countersign provider add vertex --address https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/publishers/google < account.json',
      'countersign provider add local-embeddings',
      'countersign provider add local-speech',
    ],
    load: async () => (await import('../provider.ts')).add,
  },
  {
    name: 'provider list',
    summary: 'list providers, the location of their keys and their state',
    arguments: [],
    options: [],
    examples: ['countersign provider list'],
    load: async () => (await import('../provider.ts')).list,
  },
  {
    name: 'provider test',
    summary: 'make one test call, and show its latency and cost',
    arguments: [optional('name', 'name of a provider (default: all)')],
    options: [
      { flags: '--model <model>', summary: 'model of the provider' },
      {
        flags: '--prompt <text>',
        summary: 'send this instead, and show the reply, its speed, tokens and cost',
      },
    ],
    examples: [
      'countersign provider test',
      'countersign provider test ollama --model qwen3:8b --prompt "Write a haiku about rain"',
    ],
    load: async () => (await import('../provider.ts')).test,
  },
  {
    name: 'provider set',
    summary: 'change a provider',
    arguments: [provider],
    options: [
      { flags: '--address <url>', summary: 'address' },
      { flags: '--key', summary: 'replace the key; prompts for it or reads it from stdin' },
      { flags: '--timeout <duration>', summary: 'response timeout' },
      { flags: '--priority <number>', summary: 'priority; lower comes first' },
      { flags: '--on', summary: 'enable it' },
      { flags: '--off', summary: 'disable it' },
    ],
    examples: [
      'countersign provider set openai --off',
      'pass show openai | countersign provider set openai --key',
    ],
    load: async () => (await import('../provider.ts')).set,
  },
  {
    name: 'provider rm',
    summary: 'remove a provider',
    arguments: [provider],
    options: [{ flags: '--yes', summary: 'skip the confirmation' }],
    examples: ['countersign provider rm openai'],
    load: async () => (await import('../provider.ts')).remove,
  },
]
