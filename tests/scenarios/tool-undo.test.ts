import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import type { RunDetail } from '@countersign/contract'
import { builtinTools } from '@countersign/tools'
import { exampleFor } from '@countersign/tools/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSmall, sampled } from '../size.ts'
import { type ExampleInstallation, openExampleInstallation } from './example-installation.ts'

let example: ExampleInstallation
let database: pg.Client
let server: Server
let page: string

beforeAll(async () => {
  server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>Orders</title><main>Two orders</main>')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  page = `http://127.0.0.1:${port}/orders`
  example = await openExampleInstallation({ COUNTERSIGN_LOCAL_TARGETS: `127.0.0.1:${port}` })
  database = new pg.Client(example.installation.databaseConnection())
  await database.connect()
  const { operator } = example.installation.identity.trust
  await database.query("select set_config('search_path', 'countersign', false)")
  await database.query("select set_config('app.operator', $1, false)", [operator])
})
afterAll(async () => {
  await database?.end()
  await example?.close()
  server?.close()
})

/** What they begin goes on, so they are undone by an act that ends or holds it and not by an earlier state. */
const beginsWork = new Set(['execute_plan', 'start_agent_task', 'cancel_agent_task'])
/** They undo each other, and each time is a change of its own. */
const holdsWork = new Set(['pause_plan', 'resume_plan'])

/** What a branch brings may be of strangers, so the way back over it is asked about. */
const asksToUndo = new Set(['git_checkout'])

/** A picture is of a page that is open, which a call by hand never has. */
const opensPage = new Set(['browser_screenshot'])
/** Undone against real servers, in mail.test.ts. */
const needsMail = new Set(['delete_email'])
const hasBrowser = existsSync('/usr/bin/chromium')

const offered = builtinTools.filter(
  // Skills are undone where there is one, in skills.test.ts.
  ({ hidden, runs, group }) => !hidden && group !== 'skills' && (runs === 'executor' || runs === 'gateway'),
)
const seen = new Map<string, string>()

describe('what is done and undone', () => {
  test.each(sampled(offered, 5).map(({ name }) => name))('%s', async (name) => {
    if (opensPage.has(name) || beginsWork.has(name) || needsMail.has(name)) return
    const args = exampleFor(name, example.ids)
    const [tried] = await example.gateway.client.tryTool(name, JSON.stringify(args))
    if (tried?.kind !== 'judged') throw new Error(`${name}: ${tried?.reason}`)
    if (tried.card.tier !== 1) return

    const before = await state()
    const { run, calls } = await example.call(name, args)
    expect(calls).toMatchObject([{ tool: name, tier: 1, outcome: 'ok', undoable: true }])
    const undone = await undoneTo(before, name, run.id)
    expect(undone.approvals).toHaveLength(asksToUndo.has(name) ? 1 : 0)
  })

  // The page is untrusted and on this machine, so here the picture and its undo are asked for; what is undone is the same.
  test.runIf(hasBrowser)('browser_screenshot', async () => {
    const before = await state()
    const picture = { url: page, path: 'photos/orders.png' }
    const [opened, taken] = await example.converse([
      { name: 'browser_navigate', args: { url: page } },
      { name: 'browser_screenshot', args: picture },
    ])
    expect(opened?.calls).toMatchObject([{ outcome: 'ok' }])
    expect(taken?.calls).toMatchObject([{ outcome: 'ok', undoable: true }])
    await undoneTo(before, 'browser_screenshot', taken?.run.id ?? '')
  })

  // What a program did is asked about where it removed something; it is taken back as a whole, also where it failed in the end.
  test.each([
    [
      'execute_shell',
      { command: 'echo more >> report.txt && rm -r site && mkdir made && ln -s .. made/up; false' },
    ],
    [
      'execute_python',
      { code: "import os, shutil\nos.chmod('report.txt', 0o600)\nshutil.move('project', 'moved')" },
    ],
    ['execute_javascript', { code: "require('fs').writeFileSync('report.txt', '')" }],
  ])('%s', async (name, args) => {
    const before = await state()
    const { run, calls } = await example.call(name, args)
    expect(calls).toMatchObject([
      { tool: name, tier: 0, undoable: false },
      { tool: 'take_over_changes', outcome: 'ok', undoable: true },
    ])
    await undoneTo(before, name, run.id)
  })

  // It reads, and the file is written by a call of its own.
  test('export_expenses', async () => {
    const before = await state()
    const { run, calls } = await example.call('export_expenses', exampleFor('export_expenses', example.ids))
    expect(calls).toMatchObject([
      { tool: 'export_expenses', tier: 0, outcome: 'ok', undoable: false },
      { tool: 'write_file', tier: 1, outcome: 'ok', undoable: true },
    ])
    const file = join(example.installation.paths.workspace, 'exports/march.csv')
    expect(readFileSync(file, 'utf8')).toContain('2026-03-02,12.10,EUR,food,Lunch')
    await undoneTo(before, 'write_file', run.id)
  })

  test.each([
    ['execute_plan', 'plans', 'paused'],
    ['start_agent_task', 'agent_tasks', 'cancelled'],
    ['cancel_agent_task', 'agent_tasks', 'active'],
  ])('%s', async (name, collection, status) => {
    const args = exampleFor(name, example.ids)
    const { run, calls } = await example.call(name, args)
    expect(calls).toMatchObject([{ tool: name, tier: 1, outcome: 'ok', undoable: true }])
    const id = args['planId'] ?? args['taskId'] ?? /"id":"([^"]+)"/.exec(calls[0]?.result ?? '')?.[1]
    const undone = await undo(name, run.id)
    expect(undone.approvals).toEqual([])
    const { rows } = await database.query('select data from records where collection = $1 and id = $2', [
      collection,
      id,
    ])
    expect(rows).toMatchObject([{ data: { status } }])
  })

  test.skipIf(isSmall)('every tool that says how it is undone was tried, but for those above T1', () => {
    const equal = [...seen.keys()].filter((name) => !beginsWork.has(name)).length
    process.stdout.write(`Done and undone: ${seen.size} tools, ${equal} of them with equal state.\n`)
    const above = [
      'create_scheduled_task',
      'create_tool',
      'delete_custom_tool',
      'download_file',
      'package_manager',
      'update_scheduled_task',
    ]
    // Undone where their servers are (mail.test.ts, coding-agent.test.ts); a program that only counts changes nothing.
    const elsewhere = ['delete_email', 'read_email', 'run_cli_tool', 'run_coding_task', 'send_email']
    const missed = offered
      .filter(
        ({ name, undo }) => undo !== undefined && !seen.has(name) && (hasBrowser || !opensPage.has(name)),
      )
      .map(({ name }) => name)
    expect(missed.toSorted()).toEqual([...above, ...elsewhere].toSorted())
    for (const [name, undo] of seen) expect(offered.find((tool) => tool.name === name)?.undo).toBe(undo)
  })
})

async function undoneTo(before: State, name: string, run: string): Promise<RunDetail> {
  expect(await state(), 'nothing was done').not.toEqual(before)
  const undone = await undo(name, run)
  const after = await state()
  if (holdsWork.has(name)) expect(withoutTimes(after)).toEqual(withoutTimes(before))
  else expect(after).toEqual(before)
  return undone
}

async function undo(name: string, run: string): Promise<RunDetail> {
  const begun = await example.gateway.client.undoRun(run)
  const undone = await example.settle(begun.run)
  expect(undone.calls.map(({ outcome }) => outcome)).toEqual(['ok'])
  seen.set(name, undone.calls[0]?.tool ?? '')
  return undone
}

interface State {
  readonly files: Readonly<Record<string, string>>
  readonly repositories: Readonly<Record<string, readonly string[]>>
  readonly records: readonly string[]
}

/** All that a tool at T1 could have changed. */
async function state(): Promise<State> {
  const root = example.installation.paths.workspace
  const repositories = ['project', 'site']
    .filter((name) => existsSync(join(root, name)))
    .map((name) => [name, repository(join(root, name))])
  return { files: files(root), repositories: Object.fromEntries(repositories), records: await records() }
}

/** What lies inside .git is told by git: a store of objects may keep what nothing refers to. A link is not followed. */
function files(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((path) => !path.split('/').includes('.git'))
  return Object.fromEntries(
    entries.toSorted().map((path) => {
      const stat = lstatSync(join(root, path))
      const content = stat.isFile() ? readFileSync(join(root, path)).toString('base64') : 'no file'
      return [path, `${(stat.mode & 0o7777).toString(8)} ${content}`]
    }),
  )
}

function repository(folder: string): string[] {
  const git = (...words: string[]) => {
    const env = { PATH: '/usr/bin:/bin', HOME: '/nowhere', GIT_OPTIONAL_LOCKS: '0' }
    return execFileSync('git', words, { cwd: folder, encoding: 'utf8', env })
  }
  return [
    readFileSync(join(folder, '.git', 'HEAD'), 'utf8'),
    git('for-each-ref'),
    git('ls-files', '--stage'),
    git('status', '--porcelain=v2', '--branch'),
  ]
}

/** A version only ever grows, so that an old approval can never fit again; it is not part of what a record says. */
async function records(): Promise<string[]> {
  const { rows } = await database.query<Record<string, unknown>>('select * from records')
  return rows.map((row) => JSON.stringify({ ...row, version: null })).toSorted()
}

function withoutTimes(seenThen: State): State {
  const records = seenThen.records.map((row) =>
    JSON.stringify({ ...(JSON.parse(row) as object), updated_at: null }),
  )
  return { ...seenThen, records }
}
