/** Owns the world in which the examples can be made: files, two repositories, and records. For tests only. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '@countersign/contract'
import type { ExampleRecord } from './examples.ts'

export interface WorldCall {
  readonly tool: string
  readonly args: JsonObject
  /** The record that it makes, whose id the examples need. */
  readonly as?: ExampleRecord
}

/** Puts the files and repositories into an empty workspace. */
export function furnishWorkspace(root: string): void {
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  put('report.txt', 'The year in figures\n\nSee the invoice of May.\n')
  put('photos/cat.jpg', 'not really a picture')
  furnishRepository(join(root, 'project'), (path, content) => put(`project/${path}`, content))
  furnishSite(join(root, 'site'), (path, content) => put(`site/${path}`, content))
}

/** Makes the records that the examples change and remove, in this order. */
export const worldCalls: readonly WorldCall[] = [
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
