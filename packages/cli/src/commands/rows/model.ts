/** The rows of `countersign model`. */
import { type CommandRow, needed, optional } from '../../command-row.ts'

export const modelSummary = 'what there is to choose from, what it costs, and what is taken for what'

const model = needed('model', 'provider/model, as `model list` names it')

export const modelRows: readonly CommandRow[] = [
  {
    name: 'model list',
    summary: 'list the models of your providers, with what they can and what they cost',
    arguments: [optional('words', 'only models whose name holds this')],
    options: [
      { flags: '--provider <name>', summary: 'only of this provider' },
      { flags: '--needs <list>', summary: 'only those that can: tools, vision, reasoning' },
      { flags: '--all', summary: 'also of providers that are not added' },
    ],
    examples: ['countersign model list', 'countersign model list mini --needs tools,vision --all'],
    load: async () => (await import('../model.ts')).list,
  },
  {
    name: 'model show',
    summary: 'show what is known of a model, and from where',
    arguments: [model],
    options: [],
    examples: ['countersign model show anthropic/claude-sonnet-4-5'],
    load: async () => (await import('../model.ts')).show,
  },
  {
    name: 'model use',
    summary: 'choose the model, or the way of choosing, for what the agent does',
    arguments: [needed('choice', 'provider/model, or cheapest, fastest, smartest, balanced, fallback')],
    options: [
      {
        flags: '--for <purpose>',
        summary: 'chat, planning, summaries, extraction, vision, speech or embeddings; chat',
      },
      { flags: '--then <models>', summary: 'what to take when it does not answer, with commas' },
    ],
    examples: [
      'countersign model use anthropic/claude-sonnet-4-5 --then openai/gpt-5-mini',
      'countersign model use cheapest --for summaries',
    ],
    load: async () => (await import('../model.ts')).use,
  },
  {
    name: 'model routes',
    summary: 'show which model is taken for what',
    arguments: [],
    options: [],
    examples: ['countersign model routes'],
    load: async () => (await import('../model.ts')).routes,
  },
  {
    name: 'model price',
    summary: 'set what a model costs, or go back to the catalogue',
    arguments: [model],
    options: [
      { flags: '--input <dollars>', summary: 'for a million tokens that go in' },
      { flags: '--output <dollars>', summary: 'for a million tokens that come out' },
      { flags: '--cache-read <dollars>', summary: 'for a million tokens from the cache' },
      { flags: '--cache-write <dollars>', summary: 'for a million tokens into the cache' },
      { flags: '--restore', summary: 'as in the catalogue' },
    ],
    examples: [
      'countersign model price studio/qwen3 --input 0 --output 0',
      'countersign model price openai/gpt-5-mini --restore',
    ],
    load: async () => (await import('../model.ts')).price,
  },
  {
    name: 'model refresh',
    summary: 'fetch the newest catalogue of models and prices',
    arguments: [],
    options: [],
    examples: ['countersign model refresh'],
    load: async () => (await import('../model.ts')).refresh,
  },
  {
    name: 'model trace',
    summary: 'list the last requests to models, or show one whole',
    arguments: [optional('request', 'the id of a request')],
    options: [
      { flags: '--run <id>', summary: 'only of this run' },
      { flags: '--limit <count>', summary: 'how many; 20' },
    ],
    examples: ['countersign model trace', 'countersign model trace --run run_0198… --limit 5'],
    load: async () => (await import('../model.ts')).trace,
  },
]
