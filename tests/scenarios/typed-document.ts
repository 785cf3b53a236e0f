/**
 * Owns how a document is tried: its commands are typed as they stand, by the operator of an empty home, and what comes
 * out is compared with what the document says. A block ```sh MARK is typed; the block ```text MARK after it says what
 * comes out, a line each, where … stands for anything. A block names its exit code where that is not 0.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

export interface TypedResult {
  readonly code: number | null
  readonly output: string
}

export interface OperatorShell {
  /** Where commands are typed unless another folder is named. */
  readonly folder: string
  type(commands: string, folder?: string): Promise<TypedResult>
  /** Takes everything away that the commands made. */
  close(): Promise<void>
}

/** What documents call by a name of their own, and what it is like in a real home. */
export type Placeholders = Readonly<Record<string, string>>

interface DocumentStep {
  readonly commands: string
  readonly exit: number
  readonly says: readonly string[]
}

export const repository: string = fileURLToPath(new URL('../..', import.meta.url))

export function openOperatorShell(): OperatorShell {
  const place = mkdtempSync(join(tmpdir(), 'countersign-typed-'))
  const folder = join(place, 'here')
  const programs = join(place, 'bin')
  for (const made of [folder, programs]) mkdirSync(made)
  for (const [name, entry] of [
    ['countersign', join(repository, 'packages/cli/src/main.ts')],
    ['countersign-verify', join(repository, 'packages/verify/src/main.ts')],
    ['node', ''],
  ] as const) {
    const program = join(programs, name)
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" ${entry && `"${entry}"`} "$@"\n`)
    chmodSync(program, 0o700)
  }
  const environment = {
    PATH: `${programs}:/usr/local/bin:/usr/bin:/bin`,
    HOME: place,
    COUNTERSIGN_HOME: join(place, 'home'),
    COUNTERSIGN_PORT: '0',
  }
  const type = (commands: string, where = folder) => typeIn(commands, where, environment)
  return {
    folder,
    type,
    async close() {
      await type('countersign uninstall --yes')
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** Types every step of a document, in order. */
export async function follow(
  steps: readonly DocumentStep[],
  placeholders: Placeholders,
  type: (commands: string) => Promise<TypedResult>,
): Promise<void> {
  const met = new Map<string, string>()
  for (const { commands, exit, says } of steps) {
    const { code, output } = await type(inThisHome(commands, placeholders, met))
    expect(code, `${commands}${output}`).toBe(exit)
    for (const line of says) look(line, output, placeholders, met)
  }
}

export function stepsIn(document: string, mark: string): DocumentStep[] {
  const steps: DocumentStep[] = []
  const block = new RegExp(`^\`\`\`(sh|text) ${mark}(?: exit=(\\d+))?\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  for (const [, kind, exit = '0', content = ''] of document.matchAll(block)) {
    const last = steps.pop()
    if (kind === 'sh')
      steps.push(...(last ? [last] : []), { commands: content, exit: Number(exit), says: [] })
    else if (last) steps.push({ ...last, says: content.split('\n').filter((line) => /[^\s…]/.test(line)) })
  }
  return steps
}

/** The commands with what the earlier steps brought, in place of what the document calls it. */
export function inThisHome(
  commands: string,
  placeholders: Placeholders,
  met: ReadonlyMap<string, string>,
): string {
  return Object.keys(placeholders).reduce((text, name) => {
    if (!text.includes(name)) return text
    const real = met.get(name)
    if (real === undefined) throw new Error(`No step before it says what ${name} is.`)
    return text.replaceAll(name, real)
  }, commands)
}

/** Fails where no line of the output is this one, spaces aside. Learns what the document calls by its own names. */
export function look(
  line: string,
  output: string,
  placeholders: Placeholders,
  met: Map<string, string>,
): void {
  const names: string[] = []
  const own = Object.keys(placeholders).map((name) => RegExp.escape(name))
  const pattern = line
    .trim()
    .split(new RegExp(`(${[...own, '…', '\\s+'].join('|')})`))
    .map((part) => {
      const like = placeholders[part]
      if (like !== undefined)
        return met.has(part) ? RegExp.escape(met.get(part) ?? '') : `(${names.push(part) && like})`
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

function typeIn(commands: string, cwd: string, env: Readonly<Record<string, string>>): Promise<TypedResult> {
  return new Promise((resolve, reject) => {
    const shell = spawn('/bin/sh', ['-eu', '-c', commands], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
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
