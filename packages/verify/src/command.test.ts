import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from './command.ts'
import { testExport } from './testing/export.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-verify-'))
afterAll(() => rmSync(folder, { recursive: true }))

const made = testExport()
const entries = [1, 2, 3].map((seq) => made.entry({ seq }))
const text = `${made.lines(entries).join('\n')}\n`
const good = join(folder, 'good.jsonl')
const bad = join(folder, 'bad.jsonl')
writeFileSync(good, text)
writeFileSync(bad, text.replace('"seq":2', '"seq":7'))

test('verifies a file, prints the head and exits with 0', () => {
  const { status, stdout, stderr } = run([good])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('Ledger verified: gateway.test/ledger')
  expect(stdout).toContain('up to entry 3; nothing after it')
  expect(stdout).toContain('declared by the file itself')
  expect(stdout).toContain('A cut tail')
})

test('takes back as a witness the head that it printed', () => {
  const head = /head +(\S+)/.exec(run([good]).stdout)?.[1] as string
  const { status, stdout } = run([good, '--key', made.vkey, '--witness', head])
  expect(status).toBe(0)
  expect(stdout).toContain('pinned by you')
  expect(stdout).toContain('1 of 1 agree')
  const cut = `${made.lines(entries.slice(0, 2)).join('\n')}\n`
  expect(run(['-', '--witness', head], cut).status).toBe(11)
})

test('reads standard input and prints one JSON document', () => {
  const { status, stdout } = run(['-', '--json'], text)
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, entries: 3, keySource: 'self-declared' })
})

test('exits with 11 for a changed file and says where and what next', () => {
  const { status, stdout } = run([bad])
  expect(status).toBe(11)
  expect(stdout).toContain('entry 2 (line 3)')
  expect(stdout).toContain('Next: ')
  expect(JSON.parse(run([bad, '--json']).stdout)).toMatchObject({ ok: false, failureCount: 1 })
})

test('exits with 11 for an unsigned tail only when strict', async () => {
  const tail = `${text}${made.entry({ seq: 4 })}\n`
  expect((await runHere(['-'], tail)).status).toBe(0)
  expect((await runHere(['-', '--strict'], tail)).status).toBe(11)
})

test('exits with 3 when there is no such file and with 1 when it cannot be read', () => {
  const missing = run([join(folder, 'missing.jsonl')])
  expect(missing).toMatchObject({ status: 3, stdout: '' })
  expect(missing.stderr).toContain('There is no file')
  expect(run([folder]).status).toBe(1)
  expect(JSON.parse(run([join(folder, 'missing.jsonl'), '--json']).stdout)).toMatchObject({
    ok: false,
    error: { type: 'notFound' },
  })
})

test.each([
  ['no file', []],
  ['two files', [good, good]],
  ['an unknown option', [good, '--fast']],
  ['a key of another form', [good, '--key', 'abc']],
  ['a witness of another form', [good, '--witness', '3']],
])('exits with 2 for %s', async (_, args) => {
  const { status, stderr } = await runHere(args)
  expect(status).toBe(2)
  expect(stderr).toContain('Try: countersign-verify --help')
})

test('shows help with examples', async () => {
  const { status, stdout } = await runHere(['--help'])
  expect(status).toBe(0)
  expect(stdout).toContain('Examples:')
})

function run(args: readonly string[], input = '') {
  const main = join(import.meta.dirname, 'main.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { input, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** The same command without the cost of a new process. */
async function runHere(args: readonly string[], input = '') {
  const printed = { stdout: '', stderr: '' }
  const status = await runCommand(args, {
    out: (line) => void (printed.stdout += line),
    error: (line) => void (printed.stderr += line),
    open: async function* () {
      yield Buffer.from(input)
    },
  })
  return { status, ...printed }
}
