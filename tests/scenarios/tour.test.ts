import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * One step of the tour in README.md. A block ```sh tour is typed as it stands; the block ```text tour after it says
 * what comes out, a line each, where … stands for anything. A block names its exit code where that is not 0.
 */
interface Step {
  readonly commands: string
  readonly exit: number
  readonly says: readonly string[]
}

const repository = fileURLToPath(new URL('../..', import.meta.url))
/** What the README calls by a name of its own, and what it is like in a real home. */
const placeholders: Readonly<Record<string, string>> = {
  K7Q2: '[A-Z0-9]{4}',
  M3XD: '[A-Z0-9]{4}',
  'run_0198…': 'run_[0-9a-f]{32}',
}

let place: string
let environment: Record<string, string>

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'countersign-tour-'))
  mkdirSync(join(place, 'here'))
  const programs = join(place, 'bin')
  mkdirSync(programs)
  for (const [name, entry] of [
    ['countersign', 'packages/cli/src/main.ts'],
    ['countersign-verify', 'packages/verify/src/main.ts'],
  ] as const) {
    const program = join(programs, name)
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${join(repository, entry)}" "$@"\n`)
    chmodSync(program, 0o700)
  }
  environment = {
    PATH: `${programs}:/usr/local/bin:/usr/bin:/bin`,
    HOME: place,
    COUNTERSIGN_HOME: join(place, 'home'),
    COUNTERSIGN_PORT: '0',
  }
})

afterAll(async () => {
  await type('countersign uninstall --yes')
  rmSync(place, { recursive: true, force: true })
}, 120_000)

test('the tour of the README goes as it says, from an empty home', { timeout: 300_000 }, async () => {
  const steps = stepsIn(readFileSync(join(repository, 'README.md'), 'utf8'))
  expect(steps.length).toBeGreaterThan(5)
  const met = new Map<string, string>()
  for (const { commands, exit, says } of steps) {
    const { code, output } = await type(inThisHome(commands, met))
    expect(code, `${commands}${output}`).toBe(exit)
    for (const line of says) look(line, output, met)
  }
})

test('a command that does not exist and a line that does not come out are noticed', async () => {
  expect((await type('countersign version\ncountersign frobnicate\ncountersign version')).code).toBe(2)
  expect(() => look('Paused by …', 'Going on.', new Map())).toThrow()
  expect(() => look('Paused by …', '  Paused  by ana\n', new Map())).not.toThrow()
  expect(() => inThisHome('countersign approval show K7Q2', new Map())).toThrow()
})

function stepsIn(readme: string): Step[] {
  const steps: Step[] = []
  for (const [, kind, exit = '0', content = ''] of readme.matchAll(
    /^```(sh|text) tour(?: exit=(\d+))?\n([\s\S]*?)^```$/gm,
  )) {
    const last = steps.pop()
    if (kind === 'sh')
      steps.push(...(last ? [last] : []), { commands: content, exit: Number(exit), says: [] })
    else if (last) steps.push({ ...last, says: content.split('\n').filter((line) => /[^\s…]/.test(line)) })
  }
  return steps
}

/** The commands with what the earlier steps brought, in place of what the README calls it. */
function inThisHome(commands: string, met: ReadonlyMap<string, string>): string {
  return Object.keys(placeholders).reduce((text, name) => {
    if (!text.includes(name)) return text
    const real = met.get(name)
    if (real === undefined) throw new Error(`No step before it says what ${name} is.`)
    return text.replaceAll(name, real)
  }, commands)
}

/** Fails where no line of the output is this one, spaces aside. Learns what the README calls by its own names. */
function look(line: string, output: string, met: Map<string, string>): void {
  const names: string[] = []
  const pattern = line
    .trim()
    .split(/(run_0198…|\bK7Q2\b|\bM3XD\b|…|\s+)/)
    .map((part) => {
      const like = placeholders[part]
      if (like !== undefined) return met.has(part) ? (met.get(part) ?? '') : `(${names.push(part) && like})`
      return part === '…' ? '.*' : part.trim() === '' ? '\\s*' : RegExp.escape(part)
    })
    .join('')
  const found = output
    .split('\n')
    .map((each) => new RegExp(`^\\s*${pattern}\\s*$`).exec(each))
    .find((each) => each !== null)
  expect(found, `“${line.trim()}” does not come out:\n${output}`).toBeTruthy()
  for (const [at, name] of names.entries()) met.set(name, found?.[at + 1] ?? '')
}

function type(commands: string): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const shell = spawn('/bin/sh', ['-eu', '-c', commands], {
      cwd: join(place, 'here'),
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const take = (chunk: Buffer) => {
      output += chunk.toString('utf8')
    }
    shell.stdout.on('data', take)
    shell.stderr.on('data', take)
    shell.once('error', reject)
    shell.once('close', (code) => resolve({ code, output }))
  })
}
