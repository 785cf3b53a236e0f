/** The rows that talk with the agent. */
import { type CommandRow, needed, type OptionRow, optional } from '../../command-row.ts'

const addressees: readonly OptionRow[] = [
  { flags: '--agent <agent>', summary: 'start with this agent' },
  { flags: '--goal <goal>', summary: 'start in the conversation of this goal', id: 'goal', orName: true },
  { flags: '--team <team>', summary: 'let the router of this team pick the agent' },
  { flags: '--model <model>', summary: 'answer with this model from now on in the conversation' },
]

const attaching = (summary: string): OptionRow => ({ flags: '--attach <file>', summary, repeats: true })

export const talkRows: readonly CommandRow[] = [
  {
    name: 'chat',
    summary: 'talk with the agent and decide on its requests',
    arguments: [{ ...optional('session', 'session to continue'), id: 'ses' }],
    options: [
      attaching('attach a file of at most 25 MB to the first message; repeatable'),
      { flags: '--private', summary: 'erase everything that is said when you leave' },
      ...addressees,
    ],
    examples: [
      'countersign chat',
      'countersign chat --agent researcher',
      'countersign chat --attach receipt.jpg',
      'countersign chat --private',
      'echo "What is in the workspace?" | countersign chat',
    ],
    load: async () => (await import('../chat.ts')).chat,
  },
  {
    name: 'ask',
    summary: 'send one message and wait for the reply',
    arguments: [{ ...needed('text', 'the message; quotes are not needed'), many: true }],
    options: [
      { flags: '--session <id>', summary: 'continue this session', id: 'ses' },
      attaching('attach a file of at most 25 MB; repeatable'),
      {
        flags: '--meta <name=value>',
        summary: 'keep this with the message; a model never sees it; repeatable',
        repeats: true,
      },
      { flags: '--reasoning', summary: 'print what the model thought before the reply, on stderr' },
      { flags: '--turns <number>', summary: 'let the run take at most this many turns, 1 to 200' },
      { flags: '--queue', summary: 'queue the message behind the current run' },
      ...addressees,
    ],
    examples: [
      'countersign ask what is in the workspace',
      'countersign ask what is on this picture --attach photo.jpg',
      'countersign ask "Is the build green?" --meta ticket=4711',
      'countersign ask "Tidy the notes" --turns 5',
      'countersign ask "Send the report" --wait 10m --json',
    ],
    load: async () => (await import('../ask.ts')).ask,
  },
]
