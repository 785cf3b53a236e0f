/**
 * Owns a week in an installation: what a person asked their agent, what it did, and what is left for them to decide. All of it
 * goes through the gateway; only the model's words are written here.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionId } from '@countersign/contract'
import {
  approvalFor,
  approve,
  type GatewayProcess,
  type Installation,
  settledRun,
} from '@countersign/harness'
import type { ReplyCall, Script } from '@countersign/model-servers'
import { until } from './until.ts'

/** One thing that was asked for, how the agent went about it, and what it said in the end. */
interface WeekRequest {
  readonly text: string
  /** Turn by turn; the calls of one turn are made together. */
  readonly turns: readonly (readonly ReplyCall[])[]
  readonly says?: string
  readonly reply: string
}

const dayMs = 24 * 60 * 60_000

const shopping = ['oat milk', 'coffee', 'lemons', 'rye bread'].map((item) => `- ${item}`).join('\n')

/** What was done on each day; the home is put in where a path of it is needed. */
const days: readonly (readonly WeekRequest[])[] = [
  [
    {
      text: 'What is in my workspace? Say it in one line each.',
      turns: [[{ name: 'list_directory', args: { path: '.' } }]],
      reply:
        'There are four things here:\n\n- **books/** holds the receipts of August\n- **minutes.md** is from the garden club\n- **report.txt** is the quarterly report\n- **shopping.md** is your list',
    },
    {
      text: 'Write my shopping list: oat milk, coffee, lemons and rye bread',
      turns: [[{ name: 'write_file', args: { path: 'shopping.md', content: `${shopping}\n` } }]],
      reply: 'It is in `shopping.md`, four things.',
    },
  ],
  [
    {
      text: 'How many lines does the quarterly report have, and what is its longest word?',
      turns: [
        [{ name: 'read_file', args: { path: 'report.txt' } }],
        [{ name: 'count_words', args: { text: 'Revenue rose by four per cent' } }],
      ],
      reply: 'It has 3 lines. The longest word is *comparatively*.',
    },
    {
      text: 'Add the dentist on Thursday at nine to my calendar',
      turns: [
        [
          {
            name: 'add_calendar_event',
            args: { title: 'Dentist', startTime: '2026-11-19T09:00:00', location: 'Harbour Street 4' },
          },
        ],
      ],
      reply: 'Thursday, 19 November, 09:00: Dentist, Harbour Street 4.',
    },
  ],
  [
    {
      text: 'Note the three ideas for the summer party',
      turns: [
        [
          { name: 'add_note', args: { title: 'Summer party: lanterns', content: 'Paper, along the hedge.' } },
          { name: 'add_note', args: { title: 'Summer party: soup', content: 'Gazpacho for twenty.' } },
          { name: 'add_note', args: { title: 'Summer party: music', content: 'Ask the neighbours first.' } },
        ],
      ],
      reply: 'Three notes: lanterns, soup and music.',
    },
    {
      text: 'What was in the file of last year?',
      turns: [[{ name: 'read_file', args: { path: 'books/2025.csv' } }]],
      reply: 'There is no `books/2025.csv`. The oldest file there is of August 2026.',
    },
  ],
]

/** These are approved: by a rule for everything, by one for the agent, and once. */
const approved: readonly (WeekRequest & { readonly where?: 'everywhere' | 'agent' })[] = [
  {
    text: 'Compare the report with the one in my archive',
    says: 'The archive lies outside of the workspace, so I have to ask.',
    turns: [[{ name: 'read_file', args: { path: 'HOME/archive/report-q2.txt' } }]],
    reply: 'Revenue was 4 % lower in the second quarter; the rest is the same.',
    where: 'everywhere',
  },
  {
    text: 'When is the invoice of July due?',
    turns: [[{ name: 'read_file', args: { path: 'HOME/archive/invoice-july.txt' } }]],
    reply: 'On the last day of August.',
    where: 'agent',
  },
  {
    text: 'Remove the receipts that are there twice',
    turns: [[{ name: 'execute_shell', args: { command: 'cd books/2026-08 && rm 08.txt 09.txt' } }]],
    reply: 'Two of nine were the same as others. They are gone.',
  },
]

/** These wait: of the second tier one and a batch, of the third, of the fourth. */
const waiting: readonly WeekRequest[] = [
  {
    text: 'Read what the contract says about notice',
    says: 'The contract is in your archive. I would only read it.',
    turns: [[{ name: 'read_file', args: { path: 'HOME/archive/contract.txt' } }]],
    reply: 'Three months to the end of a quarter.',
  },
  {
    text: 'Get the invoices of June and August and the contract',
    turns: [
      [
        { name: 'read_file', args: { path: 'HOME/archive/invoice-june.txt' } },
        { name: 'read_file', args: { path: 'HOME/archive/invoice-august.txt' } },
        { name: 'read_file', args: { path: 'HOME/archive/contract.txt' } },
      ],
    ],
    reply: 'Here they are.',
  },
  {
    text: 'Keep the history of the books with git',
    says: 'I make a repository in books. Nothing is sent.',
    turns: [[{ name: 'execute_shell', args: { command: 'git init -q --template= books' } }]],
    reply: 'Every change of the books has a history now.',
  },
  {
    text: 'Clean up the table of the books with a small program',
    turns: [
      [
        {
          name: 'execute_python',
          args: {
            code: "import csv\nrows = list(csv.reader(open('books/table.csv')))\nwith open('books/table.csv', 'w') as out:\n    csv.writer(out).writerows(sorted({tuple(row) for row in rows}))\n",
          },
        },
      ],
    ],
    reply: 'Sorted, without the rows that were there twice.',
  },
]

const everything: readonly WeekRequest[] = [...days.flat(), ...approved, ...waiting]

/** The model of that week. What it is not asked in these words it answers plainly. */
export function weekScript(home: () => string): Script {
  return ({ lastUser, messages }) => {
    const usage = { input: 9_400, output: 310 }
    const asked = everything.find(({ text }) => lastUser === text)
    if (!asked) return { text: 'Done.', usage }
    const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
    const turn = since.filter(({ role }) => role === 'assistant').length
    const calls = asked.turns[turn]
    if (!calls) return { text: asked.reply, usage }
    const here = JSON.parse(JSON.stringify(calls).replaceAll('HOME', home())) as readonly ReplyCall[]
    return { ...(asked.says === undefined ? {} : { text: asked.says }), calls: here, usage }
  }
}

export function furnishHome(installation: Installation): void {
  const put = (base: string, path: string, content: string) => {
    mkdirSync(join(base, path, '..'), { recursive: true })
    writeFileSync(join(base, path), content)
  }
  const { workspace } = installation.paths
  put(workspace, 'report.txt', 'Revenue rose by four per cent.\nCosts were comparatively flat.\nStaff: 12.\n')
  put(workspace, 'minutes.md', '# Garden club\n\nThe hedge is cut in autumn.\n')
  put(workspace, 'books/table.csv', 'date,amount\n2026-08-01,12.40\n2026-08-01,12.40\n')
  for (let day = 1; day <= 9; day += 1)
    put(workspace, `books/2026-08/0${String(day)}.txt`, 'Receipt\nPaid by card\n')
  for (const name of ['report-q2', 'contract', 'invoice-june', 'invoice-july', 'invoice-august'])
    put(installation.home, `archive/${name}.txt`, `${name}\n`)
}

/** The first steps of the setup, up to the choice of what is asked. */
export async function beginSetup({ client }: GatewayProcess): Promise<void> {
  await client.setUp('check', {})
  await client.setUp('you', { name: 'Mira' })
  await client.setUp('model', { choice: 'current' })
}

export async function endSetup({ client }: GatewayProcess): Promise<void> {
  await client.setUp('safety', { choice: 'boundaries', unattendedUsd: 2 })
  for (const step of ['action', 'reach', 'keep', 'recipes'] as const) await client.skipSetup(step)
}

/** One of each kind of thing that is kept. */
export async function keepOne({ client }: GatewayProcess, number = 0): Promise<void> {
  const goal = goals[number % goals.length] ?? goals[0]
  const memory = memories[number % memories.length] ?? memories[0]
  const schedule = schedules[number % schedules.length] ?? schedules[0]
  const again = number >= goals.length ? ` ${String(number + 1)}` : ''
  const added = await client.addGoal({ title: `${goal.title}${again}`, description: goal.why })
  for (const title of goal.steps) await client.addGoalStep(added.goal.id, { title })
  await client.addMemory({ content: `${memory.content}${again}`, type: memory.type, tags: [...memory.tags] })
  await client.addSchedule({
    name: `${schedule.name}${again}`,
    trigger: { kind: 'cron', expression: schedule.cron, zone: 'Europe/Vienna' },
    does: { kind: 'prompt', text: schedule.prompt },
  })
}

/** What the library has beside notes and events, and a plan. */
async function keepRecords({ client }: GatewayProcess): Promise<void> {
  for (const [tool, args] of records) await client.callTool(tool, JSON.stringify(args))
  await until(async () => (await client.tables()).length > 0, { what: 'the table' })
  for (const data of expenses)
    await client.callTool('add_custom_record', JSON.stringify({ table: 'expenses', data }))
  await client.addPlan(plan)
}

/** Something is asked, and what it asks in turn is left to wait. */
export async function askOne({ client }: GatewayProcess, number: number): Promise<void> {
  const asked = waiting[number % waiting.length]
  if (!asked) return
  const { run } = await client.send({
    key: crypto.randomUUID(),
    session: null,
    text: asked.text,
    mode: 'auto',
  })
  const wanted = asked.turns[0]?.length ?? 1
  await until(async () => (await client.run(run ?? '')).approvals.length >= wanted, { what: asked.text })
}

/** The whole week; without `passes` it all happens now. */
export async function liveTheWeek(
  installation: Installation,
  gateway: GatewayProcess,
  { passes = false }: { readonly passes?: boolean } = {},
): Promise<void> {
  const { client } = gateway
  const pass = (ms: number) => {
    if (passes) installation.pass(ms)
  }
  const [model] = (await client.models({ all: 'true' })).filter(({ ref }) => ref.endsWith('/scripted'))
  if (model) await client.overrideModel(model.ref, { input: 3, output: 15, maxOutput: 8_000 })
  await client.setBudget({ scope: 'global', limitUsd: 10 })
  await client.setBudget({ scope: 'unattended', limitUsd: 2 })
  for (let number = 0; number < goals.length; number += 1) await keepOne(gateway, number)
  await keepRecords(gateway)
  for (const day of days) {
    for (const asked of day) await settledRun(client, await say(gateway, asked.text), 'stopped', 60_000)
    pass(dayMs)
  }
  for (const asked of approved) {
    const run = await say(gateway, asked.text)
    const { approvals } = await settledRun(client, run, 'parked', 60_000)
    for (const { id } of approvals) {
      if (asked.where === undefined) await approve(installation, client, id)
      else {
        const verdict = approvalFor(installation, await client.approval(id))
        const { where } = asked
        const grant = { scope: 'rule' as const, stop: 'target' as const, where, days: 30, maxUses: 100 }
        await client.decide(id, { ...verdict, grant } as typeof verdict)
      }
    }
    await settledRun(client, run, 'stopped', 60_000)
    pass(dayMs / 4)
  }
  for (let number = 0; number < waiting.length; number += 1) await askOne(gateway, number)
  await client.makeFeed(false)
}

async function say({ client }: GatewayProcess, text: string, session: SessionId | null = null) {
  const { run } = await client.send({ key: crypto.randomUUID(), session, text, mode: 'auto' })
  return run ?? ''
}

const goals = [
  {
    title: 'Bookkeeping of 2026',
    why: 'Every receipt is filed by the tenth of the next month.',
    steps: ['Find the receipts', 'File them by date', 'Say what is missing'],
  },
  {
    title: 'Summer party',
    why: 'Twenty people, one afternoon, not too much work.',
    steps: ['Choose a day', 'Write the list of guests'],
  },
  {
    title: 'Learn Portuguese',
    why: 'Enough for a week in Lisbon.',
    steps: ['Ten words a day', 'One conversation a week'],
  },
] as const

const memories = [
  { content: 'Prefers short answers, with the result first', type: 'preference', tags: ['style'] },
  { content: 'The accountant is Ana Kovač; she wants PDFs, never pictures', type: 'fact', tags: ['books'] },
  { content: 'Is away from Friday noon until Monday morning', type: 'fact', tags: ['time'] },
] as const

const schedules = [
  { name: 'Morning brief', cron: '0 8 * * 1-5', prompt: 'Say what is due today and what waits for me.' },
  { name: 'File the receipts', cron: '30 18 * * 5', prompt: 'File the receipts of this week.' },
  { name: 'Look after the backups', cron: '0 3 * * *', prompt: 'Check that last night has a backup.' },
] as const

const records: readonly (readonly [string, ReplyCall['args']])[] = [
  ['add_task', { title: 'File the receipts of August', dueDate: '2026-11-20', priority: 'high' }],
  ['add_task', { title: 'Ask the neighbours about the music', category: 'Summer party' }],
  ['add_task', { title: 'Renew the passport', dueDate: '2026-12-04', priority: 'urgent' }],
  ['add_contact', { name: 'Ana Kovač', email: 'ana@kovac.example', company: 'Kovač & Daughters' }],
  ['add_contact', { name: 'Jonas Weber', phone: '+43 1 5550123', relationship: 'neighbour' }],
  ['add_bookmark', { url: 'https://garden.example/hedges', title: 'When to cut a hedge', tags: ['garden'] }],
  ['add_bookmark', { url: 'https://lisbon.example/trams', title: 'The trams of Lisbon' }],
  [
    'create_custom_table',
    {
      table: 'expenses',
      description: 'What the household spends',
      columns: [
        { name: 'what' },
        { name: 'amount', type: 'number' },
        { name: 'paid', type: 'boolean' },
        { name: 'day', type: 'date' },
      ],
    },
  ],
]

const expenses = [
  { what: 'Coffee beans', amount: 12.4, paid: true, day: '2026-08-01' },
  { what: 'Bicycle, new chain and brakes', amount: 84, paid: false, day: '2026-08-03' },
  { what: 'Seeds for the balcony', amount: 6.9, paid: true, day: '2026-08-09' },
]

const plan: Parameters<GatewayProcess['client']['addPlan']>[0] = {
  name: 'Close the books of August',
  goal: 'Every receipt of August is counted, and the sum is in one file.',
  steps: [
    {
      type: 'tool_call',
      id: 'list',
      name: 'Find the receipts',
      tool: 'list_directory',
      args: { path: 'books' },
    },
    {
      type: 'tool_call',
      id: 'report',
      name: 'Read the report',
      tool: 'read_file',
      args: { path: 'report.txt' },
    },
    {
      type: 'tool_call',
      id: 'write',
      name: 'Write the sum',
      tool: 'write_file',
      args: { path: 'books/august.md', content: 'Nine receipts.' },
      dependsOn: ['list', 'report'],
    },
  ],
}
