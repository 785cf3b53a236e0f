/** The rows of `countersign model`. */
import { type CommandRow, needed, optional } from '../../command-row.ts'

export const modelSummary = 'models, prices and routing'

const model = needed('model', 'provider/model, as listed by `model list`')

export const modelRows: readonly CommandRow[] = [
  {
    name: 'model list',
    summary: 'list the models of your providers, with capabilities and prices',
    arguments: [optional('words', 'only models whose name contains this')],
    options: [
      { flags: '--provider <name>', summary: 'only from this provider' },
      { flags: '--needs <list>', summary: 'required capabilities: tools, vision, reasoning' },
      { flags: '--all', summary: 'include providers that are not set up' },
    ],
    examples: ['countersign model list', 'countersign model list mini --needs tools,vision --all'],
    load: async () => (await import('../model.ts')).list,
  },
  {
    name: 'model show',
    summary: 'show the data of a model and its sources',
    arguments: [model],
    options: [],
    examples: ['countersign model show anthropic/claude-sonnet-4-5'],
    load: async () => (await import('../model.ts')).show,
  },
  {
    name: 'model estimate',
    summary: 'show what so many tokens of a model cost',
    arguments: [model],
    options: [
      { flags: '--input <tokens>', summary: 'tokens sent to the model (default: 10000)' },
      { flags: '--output <tokens>', summary: 'tokens that it answers with (default: 1000)' },
      { flags: '--cached <tokens>', summary: 'how many of those sent come from the cache (default: 0)' },
    ],
    examples: ['countersign model estimate anthropic/claude-sonnet-4-5 --input 50000 --output 2000'],
    load: async () => (await import('../model.ts')).estimate,
  },
  {
    name: 'model use',
    summary: 'choose the model or the routing strategy for a purpose',
    arguments: [needed('choice', 'provider/model, or cheapest, fastest, smartest, balanced, fallback')],
    options: [
      {
        flags: '--for <purpose>',
        summary:
          'purpose: chat, planning, summaries, extraction, vision, images, speech, transcription or embeddings (default: chat)',
      },
      { flags: '--then <models>', summary: 'fallback models, separated by commas' },
    ],
    examples: [
      'countersign model use anthropic/claude-sonnet-4-5 --then openai/gpt-5-mini',
      'countersign model use cheapest --for summaries',
    ],
    load: async () => (await import('../model.ts')).use,
  },
  {
    name: 'model routes',
    summary: 'show which model is used for each purpose',
    arguments: [],
    options: [],
    examples: ['countersign model routes'],
    load: async () => (await import('../model.ts')).routes,
  },
  {
    name: 'model price',
    summary: 'set the price of a model, or restore it',
    arguments: [model],
    options: [
      { flags: '--input <dollars>', summary: 'dollars per million input tokens' },
      { flags: '--output <dollars>', summary: 'dollars per million output tokens' },
      { flags: '--cache-read <dollars>', summary: 'dollars per million tokens read from the cache' },
      { flags: '--cache-write <dollars>', summary: 'dollars per million tokens written to the cache' },
      { flags: '--restore', summary: 'restore the price of the catalogue' },
    ],
    examples: [
      'countersign model price studio/qwen3 --input 0 --output 0',
      'countersign model price openai/gpt-5-mini --restore',
    ],
    load: async () => (await import('../model.ts')).price,
  },
  {
    name: 'model refresh',
    summary: 'update the catalogue of models and prices',
    arguments: [],
    options: [],
    examples: ['countersign model refresh'],
    load: async () => (await import('../model.ts')).refresh,
  },
  {
    name: 'model trace',
    summary: 'list recent model requests, or show one in full',
    arguments: [optional('request', 'id of a request')],
    options: [
      { flags: '--run <id>', summary: 'only from this run', id: 'run' },
      { flags: '--limit <count>', summary: 'maximum number of rows (default: 20)' },
    ],
    examples: ['countersign model trace', 'countersign model trace --run run_0198… --limit 5'],
    load: async () => (await import('../model.ts')).trace,
  },
]
