/** Owns the list of commands: names, arguments, options, examples and where each is found. Everything else reads it. */
import { agentRows, agentSummary } from './commands/rows/agent.ts'
import { approvalRows, approvalSummary } from './commands/rows/approval.ts'
import { automationRows, automationSummary } from './commands/rows/automation.ts'
import { deviceRows, deviceSummary } from './commands/rows/device.ts'
import { feedRows, feedSummary } from './commands/rows/feed.ts'
import { fileRows, fileSummary } from './commands/rows/file.ts'
import { goalRows, goalSummary } from './commands/rows/goal.ts'
import { grantRows, grantSummary } from './commands/rows/grant.ts'
import { hostRows } from './commands/rows/host.ts'
import { ledgerRows, ledgerSummary } from './commands/rows/ledger.ts'
import { memoryRows, memorySummary } from './commands/rows/memory.ts'
import { onboardRows } from './commands/rows/onboard.ts'
import { planRows, planSummary } from './commands/rows/plan.ts'
import { runRows, runSummary } from './commands/rows/run.ts'
import { serviceRows, serviceSummary } from './commands/rows/service.ts'
import { sessionRows } from './commands/rows/session.ts'
import { taskRows, taskSummary } from './commands/rows/task.ts'
import type { Handler } from './context.ts'

export interface ArgumentRow {
  readonly name: string
  readonly summary: string
  readonly required: boolean
  readonly choices?: readonly string[]
  /** The last one of a command, which may be given more than once. */
  readonly many?: boolean
}

export interface OptionRow {
  readonly flags: string
  readonly summary: string
  /** Given more than once, its values arrive in one text with a NUL between, which no word of a command line can hold. */
  readonly repeats?: boolean
}

export interface CommandRow {
  /** One word, or a noun and its verb. */
  readonly name: string
  readonly summary: string
  readonly arguments: readonly ArgumentRow[]
  readonly options: readonly OptionRow[]
  readonly examples: readonly string[]
  /** Loads the code of this command only. */
  readonly load: () => Promise<Handler>
}

export const globalOptions: readonly OptionRow[] = [
  { flags: '--json', summary: 'print exactly one JSON document on stdout' },
  { flags: '--plain', summary: 'no colour, no redrawing' },
  { flags: '--no-color', summary: 'no colour' },
  { flags: '-q, --quiet', summary: 'print data and failures only' },
  { flags: '-v, --verbose', summary: 'also say on stderr what is asked of whom, and how long it took' },
  { flags: '--yes', summary: 'agree to what would be asked' },
  { flags: '--url <url>', summary: 'speak to this gateway instead of the one on this host' },
  { flags: '--wait <duration>', summary: 'how long to wait, for example 90s or 10m' },
]

export const nounSummaries: Readonly<Record<string, string>> = {
  session: 'conversations',
  run: runSummary,
  approval: approvalSummary,
  question: 'questions that the agent asks you',
  grant: grantSummary,
  file: fileSummary,
  tool: 'what the agent can do',
  secret: 'what the agent may use and never sees',
  provider: 'who answers for the agent, and with which key',
  model: 'what there is to choose from, what it costs, and what is taken for what',
  cost: 'what was spent, on what, and the limits',
  ledger: ledgerSummary,
  service: serviceSummary,
  agent: agentSummary,
  goal: goalSummary,
  task: taskSummary,
  plan: planSummary,
  automation: automationSummary,
  memory: memorySummary,
  feed: feedSummary,
  device: deviceSummary,
}

const needed = (name: string, summary: string): ArgumentRow => ({ name, summary, required: true })
const optional = (name: string, summary: string): ArgumentRow => ({ name, summary, required: false })
const tool = needed('tool', 'the name of a tool')
const secret = needed('name', 'the name of the secret')
const provider = needed('name', 'the name of a provider')
const model = needed('model', 'provider/model, as `model list` names it')
const time: readonly OptionRow[] = [
  { flags: '--from <date>', summary: 'from this day on, as 2026-08-01' },
  { flags: '--to <date>', summary: 'to the end of this day' },
]
const addressees: readonly OptionRow[] = [
  { flags: '--agent <agent>', summary: 'begin with this agent' },
  { flags: '--goal <goal>', summary: 'begin in the conversation of this goal' },
  { flags: '--team <team>', summary: 'let the router of this team pick the agent' },
]
const spans: readonly OptionRow[] = [
  { flags: '--today', summary: 'only today' },
  { flags: '--week', summary: 'since Monday' },
  { flags: '--month', summary: 'this month; so unless it says otherwise' },
  ...time,
]

export const commandTable: readonly CommandRow[] = [
  ...onboardRows,
  {
    name: 'up',
    summary: 'start the gateway on this host',
    arguments: [],
    options: [
      { flags: '--foreground', summary: 'stay attached; Ctrl-C stops it' },
      { flags: '--port <number>', summary: 'the port to listen on' },
      { flags: '--workspace <folder>', summary: 'the folder that the agent may work in' },
    ],
    examples: ['countersign up', 'countersign up --port 7347 --workspace ~/agent'],
    load: async () => (await import('./commands/up.ts')).up,
  },
  {
    name: 'down',
    summary: 'stop the gateway; what waits goes on when it is started again',
    arguments: [],
    options: [],
    examples: ['countersign down'],
    load: async () => (await import('./commands/down.ts')).down,
  },
  {
    name: 'status',
    summary: 'what is running, and what needs you',
    arguments: [],
    options: [],
    examples: ['countersign status', 'countersign status --json'],
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'chat',
    summary: 'talk with the agent, and decide what it may do',
    arguments: [optional('session', 'a session to go on with')],
    options: addressees,
    examples: [
      'countersign chat',
      'countersign chat --agent researcher',
      'echo "What is in the workspace?" | countersign chat',
    ],
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'ask',
    summary: 'send one message and wait for the reply',
    arguments: [needed('text', 'the message')],
    options: [
      { flags: '--session <id>', summary: 'go on with this session' },
      { flags: '--queue', summary: 'after what is running, instead of into it' },
      ...addressees,
    ],
    examples: [
      'countersign ask "What is in the workspace?"',
      'countersign ask "Send the report" --wait 10m --json',
    ],
    load: async () => (await import('./commands/ask.ts')).ask,
  },
  {
    name: 'session list',
    summary: 'list sessions, newest first',
    arguments: [],
    options: [],
    examples: ['countersign session list'],
    load: async () => (await import('./commands/session.ts')).list,
  },
  {
    name: 'session show',
    summary: 'show the messages and runs of a session',
    arguments: [needed('session', 'the id of a session')],
    options: [],
    examples: ['countersign session show ses_0198…'],
    load: async () => (await import('./commands/session.ts')).show,
  },
  ...runRows,
  ...approvalRows,
  {
    name: 'question list',
    summary: 'list the questions that are open',
    arguments: [],
    options: [],
    examples: ['countersign question list'],
    load: async () => (await import('./commands/question.ts')).list,
  },
  {
    name: 'question answer',
    summary: 'answer a question; its run goes on',
    arguments: [needed('question', 'the id of a question'), needed('text', 'the answer')],
    options: [],
    examples: ['countersign question answer q_0198… "the blue one"'],
    load: async () => (await import('./commands/question.ts')).answer,
  },
  ...grantRows,
  {
    name: 'why',
    summary: 'follow anything back to the person who caused it',
    arguments: [needed('anything', 'a code, an id, a path in the workspace, or a ledger number')],
    options: [],
    examples: ['countersign why K7Q2', 'countersign why run_0198…'],
    load: async () => (await import('./commands/why.ts')).why,
  },
  {
    name: 'tool list',
    summary: 'list the tools that are switched on',
    arguments: [optional('words', 'only tools whose name, group or description holds this')],
    options: [{ flags: '--all', summary: 'also those that are switched off' }],
    examples: ['countersign tool list', 'countersign tool list git --all'],
    load: async () => (await import('./commands/tool.ts')).list,
  },
  {
    name: 'tool show',
    summary: 'show what a tool takes, its tier, its undo and its use',
    arguments: [tool],
    options: [],
    examples: ['countersign tool show write_file'],
    load: async () => (await import('./commands/tool.ts')).show,
  },
  {
    name: 'tool try',
    summary: 'see what a call would touch and need; nothing is done without --run',
    arguments: [tool],
    options: [
      { flags: '--args <json>', summary: 'the arguments as JSON, or @file' },
      { flags: '--run', summary: 'make the call, through policy and approval as ever' },
    ],
    examples: [
      'countersign tool try delete_file --args \'{"path":"old.txt"}\'',
      'countersign tool try calculate --args \'{"expression":"2+2"}\' --run',
    ],
    load: async () => (await import('./commands/tool.ts')).tryTool,
  },
  {
    name: 'tool enable',
    summary: 'switch a tool or a group on',
    arguments: [needed('name', 'a tool or a group')],
    options: [],
    examples: ['countersign tool enable git', 'countersign tool enable execute_python'],
    load: async () => (await import('./commands/tool.ts')).enable,
  },
  {
    name: 'tool disable',
    summary: 'switch a tool or a group off',
    arguments: [needed('name', 'a tool or a group')],
    options: [],
    examples: ['countersign tool disable browser'],
    load: async () => (await import('./commands/tool.ts')).disable,
  },
  {
    name: 'tool preview-card',
    summary: 'see the approval card of a call on every surface',
    arguments: [tool],
    options: [
      { flags: '--args <json>', summary: 'the arguments as JSON, or @file' },
      { flags: '--surface <list>', summary: 'terminal, chat, or both with a comma' },
    ],
    examples: ['countersign tool preview-card execute_shell --args \'{"command":"ls"}\' --surface chat'],
    load: async () => (await import('./commands/tool.ts')).previewCard,
  },
  {
    name: 'tool new',
    summary: 'make a folder with a new tool and its tests',
    arguments: [needed('name', 'lower case with underscores, as in count_lines')],
    options: [
      { flags: '--folder <dir>', summary: 'where to make it; here unless it says so' },
      { flags: '--kind <kind>', summary: 'executor (works on files) or record (works on records)' },
    ],
    examples: [
      'countersign tool new count_lines',
      'countersign tool new keep_line --kind record --folder ~/tools',
    ],
    load: async () => (await import('./commands/tool-lab.ts')).create,
  },
  {
    name: 'tool test',
    summary: 'fuzz a tool, and compare its effects with what it does',
    arguments: [needed('tool', 'a file, a folder that `tool new` made, or a built-in tool')],
    options: [
      { flags: '--args <json>', summary: 'run it with these arguments, or @file' },
      { flags: '--files <folder>', summary: 'what the scratch workspace holds before' },
      { flags: '--open <places>', summary: 'local places it may reach, as localhost:8080, with commas' },
      { flags: '--tool <name>', summary: 'one of several tools of the file' },
      { flags: '--count <number>', summary: 'how many arguments to make; 500' },
      { flags: '--seed <number>', summary: 'make the same arguments again' },
    ],
    examples: [
      'countersign tool test count_lines',
      'countersign tool test ./my-tool.ts --args \'{"path":"a.txt"}\' --files ./sample',
      'countersign tool test write_file --seed 7 --json',
    ],
    load: async () => (await import('./commands/tool-lab.ts')).test,
  },
  {
    name: 'secret list',
    summary: 'list the secrets and where each may go; never their values',
    arguments: [],
    options: [],
    examples: ['countersign secret list'],
    load: async () => (await import('./commands/secret.ts')).list,
  },
  {
    name: 'secret set',
    summary: 'keep a secret for the places that it may go to; the value is asked for or read from stdin',
    arguments: [secret],
    options: [
      { flags: '--host <hosts>', summary: 'the hosts it may go to, with a port if it is not 443' },
      { flags: '--http', summary: 'over plain HTTP' },
      { flags: '--tool <names>', summary: 'only these tools may use it' },
      { flags: '--description <text>', summary: 'what it is for' },
    ],
    examples: [
      'countersign secret set github --host api.github.com',
      'pass show search | countersign secret set brave_search --host api.search.brave.com',
    ],
    load: async () => (await import('./commands/secret.ts')).set,
  },
  {
    name: 'secret rotate',
    summary: 'give a secret a new value for the same places',
    arguments: [secret],
    options: [],
    examples: ['countersign secret rotate github'],
    load: async () => (await import('./commands/secret.ts')).rotate,
  },
  {
    name: 'secret rm',
    summary: 'forget a secret',
    arguments: [secret],
    options: [],
    examples: ['countersign secret rm github'],
    load: async () => (await import('./commands/secret.ts')).remove,
  },
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
    load: async () => (await import('./commands/provider.ts')).add,
  },
  {
    name: 'provider list',
    summary: 'list the providers, where their keys are, and how they do',
    arguments: [],
    options: [],
    examples: ['countersign provider list'],
    load: async () => (await import('./commands/provider.ts')).list,
  },
  {
    name: 'provider test',
    summary: 'make one real call, and say how fast it was and what it cost',
    arguments: [optional('name', 'one provider; all of them without it')],
    options: [{ flags: '--model <model>', summary: 'with this model of the provider' }],
    examples: ['countersign provider test', 'countersign provider test ollama --model qwen3:8b'],
    load: async () => (await import('./commands/provider.ts')).test,
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
    load: async () => (await import('./commands/provider.ts')).set,
  },
  {
    name: 'provider rm',
    summary: 'forget a provider',
    arguments: [provider],
    options: [{ flags: '--yes', summary: 'do not ask again here' }],
    examples: ['countersign provider rm openai'],
    load: async () => (await import('./commands/provider.ts')).remove,
  },
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
    load: async () => (await import('./commands/model.ts')).list,
  },
  {
    name: 'model show',
    summary: 'show what is known of a model, and from where',
    arguments: [model],
    options: [],
    examples: ['countersign model show anthropic/claude-sonnet-4-5'],
    load: async () => (await import('./commands/model.ts')).show,
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
    load: async () => (await import('./commands/model.ts')).use,
  },
  {
    name: 'model routes',
    summary: 'show which model is taken for what',
    arguments: [],
    options: [],
    examples: ['countersign model routes'],
    load: async () => (await import('./commands/model.ts')).routes,
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
    load: async () => (await import('./commands/model.ts')).price,
  },
  {
    name: 'model refresh',
    summary: 'fetch the newest catalogue of models and prices',
    arguments: [],
    options: [],
    examples: ['countersign model refresh'],
    load: async () => (await import('./commands/model.ts')).refresh,
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
    load: async () => (await import('./commands/model.ts')).trace,
  },
  {
    name: 'cost show',
    summary: 'show what was spent: today, this month, unattended, for each outcome',
    arguments: [],
    options: [
      {
        flags: '--by <what>',
        summary: 'model, provider, purpose, agent, goal, schedule, session, run, day or hour',
      },
      ...spans,
    ],
    examples: ['countersign cost show', 'countersign cost show --by day --week'],
    load: async () => (await import('./commands/cost.ts')).show,
  },
  {
    name: 'cost top',
    summary: 'list the most expensive runs, and why they were',
    arguments: [],
    options: [{ flags: '--limit <count>', summary: 'how many; 10' }, ...spans],
    examples: ['countersign cost top --week'],
    load: async () => (await import('./commands/cost.ts')).top,
  },
  {
    name: 'cost idle',
    summary: 'show what was spent while nobody had written for a day',
    arguments: [],
    options: [...spans],
    examples: ['countersign cost idle'],
    load: async () => (await import('./commands/cost.ts')).idle,
  },
  {
    name: 'cost budget',
    summary: 'list the limits, set one, or remove one',
    arguments: [
      {
        name: 'action',
        summary: 'list unless it says so',
        required: false,
        choices: ['list', 'set', 'rm'],
      },
      optional('name', 'with set: what to limit, as global or unattended; with rm: the name of the limit'),
      optional('dollars', 'with set: how much at most'),
    ],
    options: [
      { flags: '--per <period>', summary: 'hour, day, week, month or ever; month' },
      { flags: '--for <subject>', summary: 'one agent, goal, schedule, session or run' },
      { flags: '--soft', summary: 'tell, and stop nothing' },
    ],
    examples: [
      'countersign cost budget',
      'countersign cost budget set global 20 --per month',
      'countersign cost budget set unattended 1 --per day',
      'countersign cost budget rm global:month',
    ],
    load: async () => (await import('./commands/cost.ts')).budget,
  },
  {
    name: 'cost reconcile',
    summary: 'compare the books with the bill; an admin key is asked for or read from stdin',
    arguments: [optional('provider', 'one provider; all of them without it')],
    options: [...time],
    examples: [
      'pass show anthropic-admin | countersign cost reconcile anthropic --from 2026-07-01 --to 2026-07-31',
    ],
    load: async () => (await import('./commands/cost.ts')).reconcile,
  },
  {
    name: 'cost resume',
    summary: 'let unattended work go on after it spent more than usual',
    arguments: [],
    options: [],
    examples: ['countersign cost resume'],
    load: async () => (await import('./commands/cost.ts')).resume,
  },
  ...ledgerRows,
  {
    name: 'pause',
    summary: 'pause everything; nothing is lost',
    arguments: [],
    options: [],
    examples: ['countersign pause'],
    load: async () => (await import('./commands/pause.ts')).pause,
  },
  {
    name: 'resume',
    summary: 'go on after a pause',
    arguments: [],
    options: [],
    examples: ['countersign resume'],
    load: async () => (await import('./commands/pause.ts')).resume,
  },
  {
    name: 'paths',
    summary: 'where everything is kept',
    arguments: [],
    options: [],
    examples: ['countersign paths', 'countersign paths --json'],
    load: async () => (await import('./commands/paths.ts')).paths,
  },
  {
    name: 'version',
    summary: 'print the version',
    arguments: [],
    options: [],
    examples: ['countersign version'],
    load: async () => (await import('./commands/version.ts')).version,
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    arguments: [
      { name: 'shell', summary: 'the shell', required: true, choices: ['bash', 'zsh', 'fish', 'pwsh'] },
    ],
    options: [],
    examples: ['source <(countersign completion bash)', 'countersign completion fish | source'],
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  ...fileRows,
  ...hostRows,
  ...serviceRows,
  ...sessionRows,
  ...agentRows,
  ...goalRows,
  ...taskRows,
  ...planRows,
  ...automationRows,
  ...memoryRows,
  ...feedRows,
  ...deviceRows,
]
