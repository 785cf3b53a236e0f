import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type HomePaths, homePaths } from '@countersign/contract/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { routeApp } from '../testing/route-app.ts'
import { addCareRoutes, logLine } from './care.ts'

let home: string
let paths: HomePaths
let acts: unknown[]
const client = () =>
  routeApp((app) =>
    addCareRoutes(app, {
      paths,
      platform: 'linux',
      clock: () => new Date(),
      act: (_operator, entry) => Promise.resolve(acts.push(entry)),
      redact: (text) => text.replaceAll('sk-secret', '•••'),
      logged: () => ['2026-08-01T10:00:00.000Z ready at http://127.0.0.1:7347'],
      accounts: async () => [],
      channels: async () => [],
      routes: async () => [],
      days: () => Promise.resolve([]),
    }),
  ).client

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'countersign-care-'))
  paths = homePaths({ COUNTERSIGN_HOME: home }, 'linux')
  acts = []
  for (const folder of [paths.keys, paths.state, paths.logs, dirname(paths.deviceKey)])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(paths.keys, 'gateway.key'), 'key', { mode: 0o600 })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('repairs what others could read, says so in the ledger, and keeps what was there', async () => {
  const key = join(paths.keys, 'gateway.key')
  chmodSync(key, 0o644)
  const found = (await client().findings()).find(({ id }) => id === 'keys')
  expect(found).toMatchObject({ severity: 'error', repairs: [expect.stringContaining('chmod 600')] })
  const { done, failed, ledger } = await client().repairFinding('keys')
  expect([done.length, failed, ledger]).toEqual([1, [], 1])
  expect(statSync(key).mode & 0o777).toBe(0o600)
  expect(acts).toMatchObject([{ type: 'finding.repaired', actor: { id: 'laptop' }, data: { id: 'keys' } }])
  expect((await client().findings()).find(({ id }) => id === 'keys')?.severity).toBe('ok')
})

test('repairs nothing that is well, that only a person can do, or that it does not know', async () => {
  await expect(client().repairFinding('keys')).rejects.toMatchObject({ code: 'conflict' })
  await expect(client().repairFinding('clock')).rejects.toMatchObject({ code: 'conflict' })
  await expect(client().repairFinding('../keys')).rejects.toMatchObject({ code: 'not_found' })
  expect(acts).toEqual([])
})

test('shows the end of the log without secrets, and what was logged since the start where there is no file', async () => {
  expect(await client().log()).toMatchObject({
    file: null,
    lines: [{ level: 'info', at: expect.any(String) }],
  })
  const file = join(paths.logs, 'gateway.log')
  appendFileSync(file, '2026-08-01T10:00:00.000Z Error: sk-secret was refused\nplain\nlast\n')
  expect(await client().log(3)).toEqual({
    file,
    lines: [
      { at: '2026-08-01T10:00:00.000Z', level: 'problem', text: 'Error: ••• was refused' },
      { at: null, level: 'info', text: 'plain' },
      { at: null, level: 'info', text: 'last' },
    ],
  })
  expect((await client().log(1)).lines.map(({ text }) => text)).toEqual(['last'])
})

test('a problem is known by the name of its error', () => {
  const level = (text: string) => logLine(`2026-08-01T10:00:00.000Z ${text}`).level
  expect(level('CountersignError: no')).toBe('problem')
  expect(level('starting again: DatabaseError: gone')).toBe('problem')
  expect(level('ready at http://127.0.0.1:7347')).toBe('info')
})
