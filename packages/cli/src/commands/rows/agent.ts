/** The rows of `countersign agent`. */
import type { ArgumentRow, CommandRow, OptionRow } from '../../command-row.ts'

export const agentSummary = 'agents: their instructions, tools and limits'

const agent: ArgumentRow = { name: 'agent', summary: 'id or name of an agent', required: true }

const settings: readonly OptionRow[] = [
  { flags: '--prompt <text>', summary: 'instructions of the agent; - reads stdin' },
  { flags: '--description <text>', summary: 'purpose, in one sentence' },
  { flags: '--model <model>', summary: 'model as provider/model, or default for the route of chat' },
  {
    flags: '--leave-out <parts>',
    summary:
      'leave parts out of its prompt: profile, instructions, tools, files, learnings, capabilities, time, summaries, memories',
  },
  { flags: '--history-tokens <number>', summary: 'tokens of a conversation that it is shown' },
  { flags: '--tools <names>', summary: 'tools it may use, separated by commas' },
  { flags: '--groups <names>', summary: 'tool groups it may use (default: all tools)' },
  { flags: '--data <names>', summary: 'data it may read, separated by commas, or all or none' },
  {
    flags: '--keywords <words>',
    summary: 'keywords that route a message to it, in a team or by `agent use --keywords`',
  },
  { flags: '--max-turns <number>', summary: 'maximum turns per run' },
  { flags: '--max-tool-calls <number>', summary: 'maximum tool calls per run' },
  { flags: '--max-tokens <number>', summary: 'maximum tokens per reply' },
  { flags: '--temperature <number>', summary: 'how freely it words things, 0 to 2 (default: 0.7)' },
  { flags: '--folder <path>', summary: 'folder of the workspace that is all it may touch' },
  { flags: '--emoji <sign>', summary: 'emoji shown beside its name' },
  { flags: '--category <word>', summary: 'category shown in lists' },
  { flags: '--silent', summary: 'run in the background without asking questions' },
]

export const agentRows: readonly CommandRow[] = [
  {
    name: 'agent list',
    summary: 'list agents',
    arguments: [],
    options: [],
    examples: ['countersign agent list'],
    load: async () => (await import('../agent.ts')).list,
  },
  {
    name: 'agent add',
    summary: 'create an agent',
    arguments: [{ name: 'name', summary: 'name', required: true }],
    options: settings,
    examples: [
      'countersign agent add Cook --prompt "You plan meals for four." --groups notes,tasks',
      'countersign agent add Editor --prompt - --model anthropic/claude-sonnet-4-5 < editor.md',
    ],
    load: async () => (await import('../agent.ts')).add,
  },
  {
    name: 'agent show',
    summary: 'show an agent and its instructions',
    arguments: [agent],
    options: [],
    examples: ['countersign agent show assistant', 'countersign agent show Cook --json'],
    load: async () => (await import('../agent.ts')).show,
  },
  {
    name: 'agent set',
    summary: 'change an agent; an empty text clears a setting',
    arguments: [agent],
    options: [
      { flags: '--name <name>', summary: 'name' },
      ...settings,
      { flags: '--talks', summary: 'let it talk with you and ask questions' },
      { flags: '--on', summary: 'enable it' },
      { flags: '--off', summary: 'disable it' },
    ],
    examples: [
      'countersign agent set assistant --prompt - < assistant.md',
      'countersign agent set Cook --model default --max-turns 10',
      'countersign agent set writer --temperature 1 --max-tokens 16000',
      'countersign agent set coder --off',
    ],
    load: async () => (await import('../agent.ts')).set,
  },
  {
    name: 'agent rm',
    summary: 'remove an agent, or restore a built-in one',
    arguments: [agent],
    options: [],
    examples: ['countersign agent rm Cook', 'countersign agent rm assistant'],
    load: async () => (await import('../agent.ts')).remove,
  },
  {
    name: 'agent use',
    summary: 'set who answers when you name nobody',
    arguments: [{ ...agent, required: false }],
    options: [
      { flags: '--team <team>', summary: 'let this team answer by default; an empty name ends that' },
      {
        flags: '--keywords <on|off>',
        summary: 'whether the agent answers whose keywords are in the first message (default: off)',
      },
    ],
    examples: [
      'countersign agent use',
      'countersign agent use Cook',
      'countersign agent use --team Office',
      'countersign agent use assistant --keywords on',
    ],
    load: async () => (await import('../agent.ts')).use,
  },
  {
    name: 'agent reset',
    summary: 'start a new conversation with an agent',
    arguments: [agent],
    options: [],
    examples: ['countersign agent reset assistant'],
    load: async () => (await import('../agent.ts')).reset,
  },
  {
    name: 'agent resync',
    summary: 'update the built-in agents to this version',
    arguments: [],
    options: [],
    examples: ['countersign agent resync'],
    load: async () => (await import('../agent.ts')).resync,
  },
  {
    name: 'agent prompt',
    summary: "print the prompt of an agent's next run and its length",
    arguments: [agent],
    options: [
      { flags: '--goal <id>', summary: 'for a run on this goal', id: 'goal' },
      { flags: '--session <id>', summary: 'for a run in this session', id: 'ses' },
      { flags: '--text <message>', summary: 'for this message, including matching memories' },
    ],
    examples: [
      'countersign agent prompt assistant',
      'countersign agent prompt goal --goal goal_0198… --text "What is next?"',
    ],
    load: async () => (await import('../agent.ts')).prompt,
  },
  {
    name: 'agent team',
    summary: 'list, create or change teams, or see which agent would answer',
    arguments: [
      {
        name: 'action',
        summary: 'action (default: list)',
        required: false,
        choices: ['list', 'show', 'add', 'set', 'rm', 'route'],
      },
      { name: 'team', summary: 'name or id of the team', required: false },
      { name: 'text', summary: 'message to route (with route)', required: false },
    ],
    options: [
      { flags: '--agents <ids>', summary: 'agents of the team, separated by commas' },
      {
        flags: '--router <kind>',
        summary: 'how an agent is picked: keywords, model or first (default: keywords)',
      },
      { flags: '--fallback <agent>', summary: 'agent that answers if none matches (default: the first)' },
      { flags: '--description <text>', summary: 'purpose' },
      { flags: '--context <text>', summary: 'what every agent of the team is told; empty removes it' },
      { flags: '--name <name>', summary: 'new name (with set)' },
    ],
    examples: [
      'countersign agent team',
      'countersign agent team add Office --agents organiser,writer --fallback writer',
      'countersign agent team set Office --context "We write British English."',
      'countersign agent team route Office "Draft a letter to the landlord"',
      'countersign agent team rm Office',
    ],
    load: async () => (await import('../agent.ts')).team,
  },
  {
    name: 'agent learnings',
    summary: 'list, add, accept, change or remove what an agent has learned',
    arguments: [agent],
    options: [
      { flags: '--add <text>', summary: 'add a learning' },
      { flags: '--accept <learning>', summary: 'accept one that waits, by id or number, so that it is told' },
      { flags: '--edit <learning>', summary: 'put the text of --text in its place, by id or number' },
      { flags: '--text <text>', summary: 'new words (with --edit)' },
      { flags: '--rm <learning>', summary: 'remove one, by id or number' },
    ],
    examples: [
      'countersign agent learnings assistant',
      'countersign agent learnings Cook --add "No nuts for the children."',
      'countersign agent learnings assistant --accept 1',
    ],
    load: async () => (await import('../agent.ts')).learnings,
  },
  {
    name: 'agent file',
    summary: 'list, show or accept files of the workspace that agents are told, such as AGENTS.md',
    arguments: [
      {
        name: 'action',
        summary: 'action (default: list)',
        required: false,
        choices: ['list', 'show', 'accept', 'rm'],
      },
      { name: 'path', summary: 'path of the file in the workspace', required: false },
    ],
    options: [
      { flags: '--sha256 <hash>', summary: 'content that you accept; `show` prints it' },
      { flags: '--public', summary: 'nothing in it is private: who was told it may still read public pages' },
    ],
    examples: [
      'countersign agent file',
      'countersign agent file show AGENTS.md',
      'countersign agent file accept AGENTS.md --sha256 3f0a… --public',
      'countersign agent file rm AGENTS.md',
    ],
    load: async () => (await import('../agent.ts')).file,
  },
  {
    name: 'agent profile',
    summary: 'show or set what your agents know about you',
    arguments: [
      { name: 'action', summary: 'action (default: show)', required: false, choices: ['show', 'set'] },
    ],
    options: [
      { flags: '--name <name>', summary: 'your name' },
      { flags: '--style <text>', summary: 'how agents should write to you' },
      { flags: '--interests <words>', summary: 'interests, separated by commas; replaces the list' },
      { flags: '--add-fact <text>', summary: 'add a fact about you' },
      { flags: '--drop-fact <number>', summary: 'remove the entry with this number' },
      { flags: '--add-preference <text>', summary: 'add something that you prefer' },
      { flags: '--drop-preference <number>', summary: 'remove the entry with this number' },
      { flags: '--add-instruction <text>', summary: 'add an instruction for every agent' },
      { flags: '--drop-instruction <number>', summary: 'remove the entry with this number' },
      { flags: '--autonomy <level>', summary: 'autonomy from none to full; can only lower the level' },
    ],
    examples: [
      'countersign agent profile',
      'countersign agent profile set --name Ana --style "short, no small talk"',
      'countersign agent profile set --add-instruction "Write dates as 31 March 2026."',
    ],
    load: async () => (await import('../agent.ts')).profile,
  },
]
