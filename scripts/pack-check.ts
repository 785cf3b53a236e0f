/**
 * Installs the packed package as an operator would, in an empty folder, and runs its commands there: once with install
 * scripts and once without. Prints one JSON line; fails when a command fails or the installation grew too large.
 */
import { execFile, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { homePaths, sha256Hex } from '../packages/contract/src/node/index.ts'
import { pagePolicy } from '../packages/gateway/src/server/pages.ts'
import { startModelServer } from '../tests/model-servers/src/index.ts'
import { buildPackage, packageFolder } from './build.ts'

const mostMegabytes = 250
const commandMs = 120_000
const installMs = 120_000
const installTries = 3
/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const run = promisify(execFile)

interface Report {
  readonly packedMegabytes: number
  readonly installedMegabytes: number
  readonly largest: Readonly<Record<string, number>>
  readonly withScripts: Trial
  readonly withoutScripts: Trial
}

/** Milliseconds by command. */
type Trial = Readonly<Record<string, number>>

await buildPackage()
const folder = mkdtempSync(join(tmpdir(), 'countersign-pack-'))
try {
  const report = await check(folder)
  process.stdout.write(`${JSON.stringify(report)}\n`)
  if (report.installedMegabytes > mostMegabytes) {
    throw new Error(
      `The installation takes ${report.installedMegabytes} MB; the limit is ${mostMegabytes} MB.`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function check(place: string): Promise<Report> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', place], { cwd: packageFolder })
  const [packed] = JSON.parse(stdout) as [{ filename: string; size: number }]
  const archive = join(place, packed.filename)
  const plain = await install(place, 'scripts', archive, [])
  const withScripts = await operate(plain, join(place, 'home-scripts'))
  const bare = await install(place, 'no-scripts', archive, ['--ignore-scripts'])
  const withoutScripts = await operate(bare, join(place, 'home-no-scripts'))
  const sizes = sizesOf(join(plain, 'node_modules'))
  return {
    packedMegabytes: megabytes(packed.size),
    installedMegabytes: megabytes([...sizes.values()].reduce((sum, size) => sum + size, 0)),
    largest: Object.fromEntries(
      [...sizes]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, 10)
        .map(([name, size]) => [name, megabytes(size)]),
    ),
    withScripts,
    withoutScripts,
  }
}

async function install(place: string, name: string, archive: string, flags: string[]): Promise<string> {
  const prefix = join(place, name)
  mkdirSync(prefix)
  writeFileSync(join(prefix, 'package.json'), '{"private":true}\n')
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...flags, archive]
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run('npm', args, { cwd: prefix, env: { ...process.env, ...environment() }, timeout: installMs })
      return prefix
    } catch (error) {
      if (attempt === installTries) throw error
      await pause(attempt * 5_000)
    }
  }
}

/** A working day in small: look, start, have a file written, use and make tools, check the ledger, stop. */
async function operate(prefix: string, home: string): Promise<Trial> {
  const took: Record<string, number> = {}
  const model = await startModelServer({
    script: ({ lastResults }) =>
      lastResults.length > 0
        ? { text: 'Written.' }
        : { calls: [{ name: 'write_file', args: { path: 'note.txt', content: 'milk\n' } }] },
  })
  const settings = {
    COUNTERSIGN_HOME: home,
    COUNTERSIGN_WORKSPACE: join(home, 'workspace'),
    COUNTERSIGN_MODEL: 'scripted',
    COUNTERSIGN_MODEL_URL: `${model.url}/v1`,
    COUNTERSIGN_MODEL_KEY: 'sk-test-0123456789abcdef',
    COUNTERSIGN_VAULT_KEY: 'file',
    COUNTERSIGN_TOOLS: 'pdf,image',
  }
  const command = async (name: string, args: string[], expected = 0): Promise<string> => {
    const label = `${name} ${args.join(' ').replace(home, '~')}${expected === 0 ? '' : ` (exit ${expected})`}`
    const began = performance.now()
    const program = join(prefix, 'node_modules', '.bin', name)
    const { code, output, errors } = await finished(program, args, settings)
    took[label] = Math.round(performance.now() - began)
    if (code !== expected) {
      throw new Error(`${label} left with ${code}:\n${output}${errors}${logOf(home)}`)
    }
    return output
  }
  try {
    await command('countersign-verify', ['--help'])
    await command('countersign', ['version'])
    await command('countersign', ['status', '--json'], 8)
    await command('countersign', ['up', '--port', '0', '--wait', '90s'])
    const answer = await command('countersign', ['status', '--json'])
    await openPages((JSON.parse(answer) as { status: { url: string } }).status.url)
    await command('countersign', ['ask', 'Make a note.', '--wait', '60s'])
    const written = readFileSync(join(home, 'workspace', 'note.txt'), 'utf8')
    if (written !== 'milk\n') throw new Error(`The note says ${JSON.stringify(written)}.`)
    const call = (tool: string, args: object) =>
      command('countersign', ['tool', 'try', tool, '--run', '--args', JSON.stringify(args)])
    // Each from another part of the package: a library that is loaded late, a thread, the database, a page.
    await call('calculate', { expression: '2 * (3 + 4)' })
    await call('regex', { pattern: 'm(.)lk', text: 'milk', operation: 'match' })
    await call('add_task', { title: 'Buy milk' })
    await call('create_pdf', { content: '# Milk\n\nTwo bottles.', outputPath: 'milk.pdf' })
    await call('read_pdf', { path: 'milk.pdf' })
    await call('write_binary_file', { path: 'dot.png', base64: dot })
    await call('resize_image', { image: 'dot.png', width: 8, height: 8 })
    const made = ['milk.pdf', 'dot-8x8.png'].filter((name) => !existsSync(join(home, 'workspace', name)))
    if (made.length > 0) throw new Error(`These were not made: ${made.join(', ')}.`)
    await command('countersign', ['tool', 'test', 'slugify_text', '--count', '50'])
    await command('countersign', ['tool', 'new', 'count_lines', '--folder', join(home, 'tools')])
    await command('countersign', ['tool', 'test', join(home, 'tools', 'count_lines'), '--count', '50'])
    const scaffold = join(home, 'tools', 'count_lines')
    await run(process.execPath, ['--test'], { cwd: scaffold, env: environment(), timeout: commandMs })
    const ledger = join(home, 'ledger.jsonl')
    writeFileSync(ledger, await command('countersign', ['ledger', 'export']))
    await command('countersign-verify', [ledger])
    await command('countersign', ['down'])
  } catch (error) {
    // What failed is told; a gateway that was started does not stay.
    await command('countersign', ['down']).catch(() => undefined)
    throw error
  } finally {
    await model.close()
    rmSync(systemFolder(home), { recursive: true, force: true })
  }
  return took
}

/** The web app as a browser would first load it: the page, under its policy, and every script and style it names. */
async function openPages(gateway: string): Promise<void> {
  const site = `http://localhost:${new URL(gateway).port}`
  const page = await fetch(site)
  const text = await page.text()
  if (page.status !== 200 || page.headers.get('content-security-policy') !== pagePolicy)
    throw new Error(`The first page answered ${page.status}: ${text.slice(0, 500)}`)
  const named = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '')
  if (!named.some((path) => path.endsWith('.js'))) throw new Error('The first page names no script.')
  for (const path of named) {
    const { status, headers } = await fetch(`${site}${path}`)
    if (status !== 200 || headers.get('content-type')?.startsWith('text/html'))
      throw new Error(`The first page names ${path}, which answered ${status}.`)
  }
}

function finished(
  program: string,
  args: string[],
  settings: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string; errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...environment(), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: commandMs,
    })
    let output = ''
    let errors = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output, errors }))
  })
}

/** Nothing of the repository is in reach but the runtime that the package asks for. */
function environment(): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: process.env['HOME'] ?? tmpdir(),
  }
}

/** Where the database of this home lies when root starts it, since PostgreSQL does not run as root. */
function systemFolder(home: string): string {
  const { database } = homePaths({ COUNTERSIGN_HOME: home }, process.platform)
  return join('/var/lib/countersign', sha256Hex(database).slice(0, 16))
}

function logOf(home: string): string {
  const path = join(homePaths({ COUNTERSIGN_HOME: home }, process.platform).logs, 'gateway.log')
  return existsSync(path) ? readFileSync(path, 'utf8').slice(-4_000) : ''
}

function sizesOf(modules: string): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const name of readdirSync(modules)) {
    if (name.startsWith('.')) continue
    if (name.startsWith('@')) {
      for (const inner of readdirSync(join(modules, name)))
        sizes.set(`${name}/${inner}`, sizeOf(join(modules, name, inner)))
    } else sizes.set(name, sizeOf(join(modules, name)))
  }
  return sizes
}

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10
}
