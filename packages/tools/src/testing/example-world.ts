/** Owns the world in which the examples can be made: files, two repositories, and records. For tests only. */
import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '@countersign/contract'
import type { ExampleIds, ExampleRecord } from './examples.ts'

export interface WorldCall {
  readonly tool: string
  /** Those of a record that is there by then are made from its id. */
  readonly args: JsonObject | ((made: ExampleIds) => JsonObject)
  /** The record that it makes, whose id the examples need. */
  readonly as?: ExampleRecord
  /** It begins work, which goes on until it waits for somebody. */
  readonly begins?: true
}

/** Makes a call in some world; gives the text of its result. */
export type MakeCall = (tool: string, args: JsonObject, call: WorldCall) => Promise<string>

/** Makes the records that the examples speak of; gives their ids. */
export async function makeWorld(make: MakeCall): Promise<ExampleIds> {
  const made: Partial<Record<ExampleRecord, string>> = {}
  for (const call of worldCalls) {
    const args = typeof call.args === 'function' ? call.args(made as ExampleIds) : call.args
    const text = await make(call.tool, args, call)
    const id = /"id":"([^"]+)"/.exec(text)?.[1]
    if (!call.as) continue
    if (id === undefined) throw new Error(`${call.tool} told no id: ${text}`)
    made[call.as] = id
  }
  return made as ExampleIds
}

/** Puts the files and repositories into an empty workspace. */
export function furnishWorkspace(root: string): void {
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  put('report.txt', 'The year in figures\n\nSee the invoice of May.\n')
  put('photos/cat.jpg', 'not really a picture')
  put('letters/offer.pdf', offer)
  put('letters/offer.docx', Buffer.from(offerInWord, 'base64'))
  put('photos/dot.png', Buffer.from(dot, 'base64'))
  put('sounds/bell.wav', secondOfSound())
  furnishRepository(join(root, 'project'), (path, content) => put(`project/${path}`, content))
  put('prices.json', '{ "chair": 40 }\n')
  furnishSite(join(root, 'site'), (path, content) => put(`site/${path}`, content))
}

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Eight thousand samples of one byte, which is a second of silence. */
function secondOfSound(): Uint8Array {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + 8_000, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(8_000, 40)
  return Buffer.concat([head, Buffer.alloc(8_000, 128)])
}

/** The same words in Word. */
const offerInWord =
  'UEsDBBQAAAAIAAAAAABK6k73SgAAAGMAAAALAAAAX3JlbHMvLnJlbHOzCUrNSSzJzM8rzsgsKLazQeYqeKbYKiUqKYRUFqTaKlXo56elZSanuu' +
  'Qnl+am5pUoKYQkFqWnltgqpUBF9Cpyc5T07Wz0Uc0EAFBLAwQUAAAACAAAAAAAZA6pm0UAAABOAAAADAAAAGRvY3VtZW50LnhtbLNJyU8uzU3N' +
  'K7GzScpPqbSzKbCzKbKzKbELT1XIT0tLLVIoKU/NKUtVSM5IzCwq1rPRL7Gz0S+ys9EvsLPRh2jRh5sBAFBLAQIUABQAAAAIAAAAAABK6k73Sg' +
  'AAAGMAAAALAAAAAAAAAAAAAAAAAAAAAABfcmVscy8ucmVsc1BLAQIUABQAAAAIAAAAAABkDqmbRQAAAE4AAAAMAAAAAAAAAAAAAAAAAHMAAABk' +
  'b2N1bWVudC54bWxQSwUGAAAAAAIAAgBzAAAA4gAAAAAA'

/** Without a table of its objects, which every reader makes up for. */
const offer = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R
  /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >> endobj
4 0 obj << /Length 52 >> stream
BT /F1 12 Tf 72 720 Td (We offer twelve chairs.) Tj ET
endstream endobj
trailer << /Root 1 0 R >>
`

/** Work for it waits at its first step. */
const shopping = {
  name: 'Shopping',
  steps: [
    { type: 'user_input', id: 'ask', name: 'Ask', question: 'Which shop?' },
    {
      type: 'tool_call',
      name: 'Note the milk',
      tool: 'add_task',
      args: { title: 'Milk' },
      dependsOn: ['ask'],
    },
  ],
}

/** The records that the examples change and remove, in this order. */
const worldCalls: readonly WorldCall[] = [
  { tool: 'add_task', args: { title: 'Call the bank', dueDate: '2026-03-04' }, as: 'task' },
  {
    tool: 'add_bookmark',
    args: { url: 'https://example.org/soup', title: 'Soup', tags: ['cooking'] },
    as: 'bookmark',
  },
  { tool: 'add_note', args: { title: 'Garden', content: 'Cut the hedge in autumn.' }, as: 'note' },
  { tool: 'add_calendar_event', args: { title: 'Choir', startTime: '2026-03-03T19:30:00' }, as: 'event' },
  { tool: 'add_contact', args: { name: 'Maria Rossi', company: 'Example' }, as: 'contact' },
  {
    tool: 'add_expense',
    args: { amount: '12.10', currency: 'EUR', category: 'food', description: 'Lunch', date: '2026-03-02' },
    as: 'expense',
  },
  { tool: 'create_vector_collection', args: { name: 'recipes' } },
  {
    tool: 'upsert_vectors',
    args: {
      collection: 'recipes',
      vectors: [{ id: 'lentil-stew', text: 'A stew of lentils for cold days.' }],
    },
  },
  {
    tool: 'create_custom_table',
    args: {
      table: 'books',
      columns: [
        { name: 'title', required: true },
        { name: 'pages', type: 'integer' },
      ],
    },
  },
  { tool: 'add_custom_record', args: { table: 'books', data: { title: 'Emma', pages: 474 } }, as: 'row' },
  {
    tool: 'create_tool',
    args: {
      name: 'commission',
      description: 'Work out a commission.',
      parameters: { type: 'object', properties: { sale: { type: 'number' } }, required: ['sale'] },
      code: 'return args.sale * 0.05',
    },
  },
  { tool: 'remember', args: { content: 'Prefers short answers', type: 'preference' }, as: 'memory' },
  { tool: 'create_goal', args: { title: 'Get fit', description: 'Feel well at fifty.' }, as: 'goal' },
  {
    tool: 'decompose_goal',
    args: ({ goal }) => ({ goalId: goal, steps: [{ title: 'See the doctor' }, { title: 'Find a gym' }] }),
    as: 'step',
  },
  {
    tool: 'start_agent_task',
    args: { title: 'Count the lines', instructions: 'Count the lines of report.txt.' },
    as: 'errand',
    begins: true,
  },
  { tool: 'create_plan', args: shopping, as: 'plan' },
  { tool: 'create_plan', args: shopping, as: 'running' },
  { tool: 'execute_plan', args: ({ running }) => ({ planId: running }), begins: true },
  { tool: 'create_plan', args: shopping, as: 'paused' },
  { tool: 'execute_plan', args: ({ paused }) => ({ planId: paused }), begins: true },
  { tool: 'pause_plan', args: ({ paused }) => ({ planId: paused }) },
  {
    tool: 'create_scheduled_task',
    args: { name: 'Scans', schedule: 'when inbox/scan.pdf changes', prompt: 'File the scan.' },
    as: 'schedule',
  },
]

type Put = (path: string, content: string) => void

/** With a change that is staged and one that is not. */
function furnishRepository(folder: string, put: Put): void {
  put('app.ts', "print('hello')\n")
  const git = gitIn(folder)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'A Person')
  git('config', 'user.email', 'person@example.test')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
  put('readme.md', '# Hello\n')
  git('add', 'readme.md')
  put('app.ts', "print('hello, reader')\n")
}

/** Without changes, so that another branch can be checked out. */
function furnishSite(folder: string, put: Put): void {
  put('index.html', '<h1>Welcome</h1>\n')
  const git = gitIn(folder)
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
  git('checkout', '--quiet', '-b', 'draft')
  put('index.html', '<h1>Soon</h1>\n')
  git('commit', '--quiet', '--all', '--message', 'Draft')
  git('checkout', '--quiet', 'main')
}

function gitIn(folder: string): (...words: string[]) => void {
  const identity = ['-c', 'user.name=A Person', '-c', 'user.email=person@example.test']
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: '/nowhere',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_DATE: '2026-03-01T12:00:00Z',
    GIT_COMMITTER_DATE: '2026-03-01T12:00:00Z',
  }
  return (...words) => {
    mkdirSync(folder, { recursive: true })
    execFileSync('git', [...identity, ...words], { cwd: folder, env, stdio: 'pipe' })
  }
}
