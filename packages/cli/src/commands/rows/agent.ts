/** The rows of `countersign agent`. */
import type { ArgumentRow, CommandRow, OptionRow } from '../../command-row.ts'

export const agentSummary = 'who works for you, and what they are told'

const agent: ArgumentRow = { name: 'agent', summary: 'the id or the name of an agent', required: true }

const settings: readonly OptionRow[] = [
  { flags: '--prompt <text>', summary: 'what it is; - reads it from the pipe' },
  { flags: '--description <text>', summary: 'what it does, in a sentence' },
  { flags: '--model <model>', summary: 'default, or provider/model' },
  { flags: '--tools <names>', summary: 'tools that it has, with commas' },
  { flags: '--groups <names>', summary: 'groups of tools that it has; with neither it has all' },
  { flags: '--data <names>', summary: 'which of your data it may reach, with commas; all or none' },
  { flags: '--keywords <words>', summary: 'words that call it in a team, with commas' },
  { flags: '--max-turns <number>', summary: 'turns of a run at most' },
  { flags: '--max-tool-calls <number>', summary: 'calls of a run at most' },
  { flags: '--max-tokens <number>', summary: 'tokens of a reply at most' },
  { flags: '--emoji <sign>', summary: 'a sign to know it by' },
  { flags: '--category <word>', summary: 'a word to sort it by' },
  { flags: '--silent', summary: 'works and ends; cannot ask you' },
]

export const agentRows: readonly CommandRow[] = [
  {
    name: 'agent list',
    summary: 'list the agents',
    arguments: [],
    options: [],
    examples: ['countersign agent list'],
    load: async () => (await import('../agent.ts')).list,
  },
  {
    name: 'agent add',
    summary: 'make an agent of your own',
    arguments: [{ name: 'name', summary: 'what it is called', required: true }],
    options: settings,
    examples: [
      'countersign agent add Cook --prompt "You plan meals for four." --groups notes,tasks',
      'countersign agent add Editor --prompt - --model anthropic/claude-sonnet-4-5 < editor.md',
    ],
    load: async () => (await import('../agent.ts')).add,
  },
  {
    name: 'agent show',
    summary: 'show one agent with its words',
    arguments: [agent],
    options: [],
    examples: ['countersign agent show assistant', 'countersign agent show Cook --json'],
    load: async () => (await import('../agent.ts')).show,
  },
  {
    name: 'agent set',
    summary: 'change an agent; an empty text takes a setting away',
    arguments: [agent],
    options: [
      { flags: '--name <name>', summary: 'what it is called' },
      ...settings,
      { flags: '--talks', summary: 'answers you, and may ask' },
      { flags: '--on', summary: 'switch it on' },
      { flags: '--off', summary: 'switch it off' },
    ],
    examples: [
      'countersign agent set assistant --prompt - < assistant.md',
      'countersign agent set Cook --model default --max-turns 10',
      'countersign agent set coder --off',
    ],
    load: async () => (await import('../agent.ts')).set,
  },
  {
    name: 'agent rm',
    summary: 'remove an agent, or put a built-in one back as it came',
    arguments: [agent],
    options: [],
    examples: ['countersign agent rm Cook', 'countersign agent rm assistant'],
    load: async () => (await import('../agent.ts')).remove,
  },
  {
    name: 'agent use',
    summary: 'choose who answers where nobody is named',
    arguments: [agent],
    options: [],
    examples: ['countersign agent use Cook', 'countersign agent use assistant'],
    load: async () => (await import('../agent.ts')).use,
  },
  {
    name: 'agent reset',
    summary: 'begin the conversation with an agent anew',
    arguments: [agent],
    options: [],
    examples: ['countersign agent reset assistant'],
    load: async () => (await import('../agent.ts')).reset,
  },
  {
    name: 'agent resync',
    summary: 'take over what is new in the agents that come with the product',
    arguments: [],
    options: [],
    examples: ['countersign agent resync'],
    load: async () => (await import('../agent.ts')).resync,
  },
  {
    name: 'agent prompt',
    summary: 'print what the next run of an agent is told, with its length',
    arguments: [agent],
    options: [
      { flags: '--goal <id>', summary: 'as for a run on this goal' },
      { flags: '--session <id>', summary: 'as for a run in this session' },
      { flags: '--text <message>', summary: 'as for this message: memories that fit it are found' },
    ],
    examples: [
      'countersign agent prompt assistant',
      'countersign agent prompt goal --goal goal_0198… --text "What is next?"',
    ],
    load: async () => (await import('../agent.ts')).prompt,
  },
  {
    name: 'agent team',
    summary: 'list teams, make or change one, or see who of it would answer',
    arguments: [
      {
        name: 'action',
        summary: 'list unless it says so',
        required: false,
        choices: ['list', 'show', 'add', 'set', 'rm', 'route'],
      },
      { name: 'team', summary: 'the name of the team, or its id', required: false },
      { name: 'text', summary: 'with route: the message', required: false },
    ],
    options: [
      { flags: '--agents <ids>', summary: 'who is in it, with commas; the first comes first' },
      { flags: '--router <kind>', summary: 'keywords, model or first; keywords' },
      { flags: '--fallback <agent>', summary: 'who answers where nobody fits; the first' },
      { flags: '--description <text>', summary: 'what it is for' },
      { flags: '--name <name>', summary: 'with set: another name' },
    ],
    examples: [
      'countersign agent team',
      'countersign agent team add Office --agents organiser,writer --fallback writer',
      'countersign agent team route Office "Draft a letter to the landlord"',
      'countersign agent team rm Office',
    ],
    load: async () => (await import('../agent.ts')).team,
  },
  {
    name: 'agent profile',
    summary: 'show or set what your agents know of you',
    arguments: [
      { name: 'action', summary: 'show unless it says so', required: false, choices: ['show', 'set'] },
    ],
    options: [
      { flags: '--name <name>', summary: 'how you are called' },
      { flags: '--style <text>', summary: 'how they should write to you' },
      { flags: '--interests <words>', summary: 'with commas, in place of those before' },
      { flags: '--add-fact <text>', summary: 'something to know of you' },
      { flags: '--drop-fact <number>', summary: 'one that no longer holds' },
      { flags: '--add-instruction <text>', summary: 'something always to be followed' },
      { flags: '--drop-instruction <number>', summary: 'one that no longer holds' },
      { flags: '--autonomy <level>', summary: 'none to full; can only make them more careful' },
    ],
    examples: [
      'countersign agent profile',
      'countersign agent profile set --name Ana --style "short, no small talk"',
      'countersign agent profile set --add-instruction "Write dates as 31 March 2026."',
    ],
    load: async () => (await import('../agent.ts')).profile,
  },
]
