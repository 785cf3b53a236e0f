/** Owns which program is measured: the built package, installed as an operator would, or else the sources. */
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { newestIn, timeOf } from '@countersign/harness'

export interface Product {
  readonly from: 'dist/countersign' | 'sources'
  /** The file of the command `countersign`. */
  readonly command: string
  /** Where it is installed, with all it depends on, and the archive it came in; nothing for the sources. */
  readonly installed: { readonly folder: string; readonly archive: string } | null
  close(): void
}

const repository = join(import.meta.dirname, '..', '..')
const packageFolder = join(repository, 'dist', 'countersign')
const installMs = 60_000
const installTries = 3
const buildScript = join(repository, 'scripts', 'build.ts')

/** Builds the package when it is missing, or older than its sources, and can be built. */
export async function openProduct(): Promise<Product> {
  if (!isCurrent()) {
    if (!existsSync(buildScript)) return sources
    await succeed(process.execPath, [buildScript], repository)
  }
  const place = mkdtempSync(join(tmpdir(), 'countersign-product-'))
  const close = () => rmSync(place, { recursive: true, force: true })
  try {
    const packed = await succeed('npm', ['pack', '--silent', '--pack-destination', place], packageFolder)
    const archive = join(place, packed.trim().split('\n').at(-1) ?? '')
    const folder = join(place, 'installed')
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
    await install(archive, folder)
    const command = join(folder, 'node_modules', 'countersign', 'countersign.js')
    return { from: 'dist/countersign', command, installed: { folder, archive }, close }
  } catch (error) {
    close()
    throw error
  }
}

function isCurrent(): boolean {
  const found = (pattern: string) =>
    globSync(pattern, { cwd: repository }).map((path) => join(repository, path))
  const single = [buildScript, ...found('packages/*/{package.json,index.html,vite.config.ts}')].map(timeOf)
  const newest = Math.max(...single, ...found('packages/*/{src,public}').map(newestIn))
  return newest <= timeOf(join(packageFolder, 'package.json'))
}

export interface CommandResult {
  readonly code: number | null
  readonly output: string
  readonly errors: string
  readonly ms: number
}

export function runProgram(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd?: string
    /** Replaces our own, but for where programs are. */
    readonly environment?: Readonly<Record<string, string>>
    readonly timeoutMs?: number
  } = {},
): Promise<CommandResult> {
  const { cwd = tmpdir(), environment = process.env, timeoutMs = 120_000 } = options
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  const began = performance.now()
  const child = spawn(program, args, {
    cwd,
    env: { HOME: process.env['HOME'], ...environment, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output, errors, ms: performance.now() - began }))
  })
}

const sources: Product = {
  from: 'sources',
  command: join(repository, 'packages', 'cli', 'src', 'main.ts'),
  installed: null,
  close: () => undefined,
}

/** A registry is far away and sometimes silent. */
async function install(archive: string, folder: string): Promise<void> {
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', archive]
  for (let attempt = 1; ; attempt += 1) {
    const { code, output, errors } = await runProgram('npm', args, { cwd: folder, timeoutMs: installMs })
    if (code === 0) return
    if (attempt === installTries) throw new Error(`npm install ended with ${code}: ${output}${errors}`)
  }
}

async function succeed(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, output, errors } = await runProgram(program, args, { cwd })
  if (code !== 0) throw new Error(`${program} ${args[0]} ended with ${code}: ${output}${errors}`)
  return output
}
