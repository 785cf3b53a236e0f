/** The first run as a person meets it: a real pseudo terminal, an empty home, the usual port taken, a model that answers. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { homePaths, usualPort } from '@countersign/contract/node'
import { type ModelServer, type Script, startModelServer } from '@countersign/model-servers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasPseudoTerminal, openPseudoTerminal, type PseudoTerminal } from './pseudo-terminal.ts'

const program = join(fileURLToPath(import.meta.resolve('@countersign/cli')), '..', 'main.ts')

/** Offers to look after the folder, which asks at the usual level. */
const script: Script = ({ lastUser, lastResults }) => {
  if (lastResults.length > 0) return { text: 'It is looked after every Friday.' }
  if (!lastUser.startsWith('Tidy the folder')) return { text: 'Yes.' }
  const args = {
    name: 'Tidy',
    schedule: 'every Friday 17:00',
    prompt: 'Tidy it.',
    tierMax: 1,
    maxCostUsd: 0.05,
  }
  return { calls: [{ name: 'create_scheduled_task', args: JSON.stringify(args) }] }
}

let home: string
let model: ModelServer
let holder: Server | undefined
let terminal: PseudoTerminal | undefined

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'countersign-first-'))
  model = await startModelServer({ script })
  holder = await takePort(usualPort)
})

afterEach(async () => {
  terminal?.kill()
  if (readdirSync(home).length > 0)
    execFileSync(process.execPath, [program, 'uninstall', '--yes', '--plain'], {
      env: environment(),
      stdio: 'ignore',
    })
  await model.close()
  holder?.close()
  rmSync(home, { recursive: true, force: true })
})

/** Nothing where another program has it: it is taken all the same. */
function takePort(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function environment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    COUNTERSIGN_HOME: home,
    COUNTERSIGN_VAULT_KEY: 'file',
    COUNTERSIGN_MODEL: 'scripted',
    COUNTERSIGN_MODEL_URL: `${model.url}/v1`,
    COUNTERSIGN_MODEL_KEY: 'sk-test-0123456789abcdef',
  }
}

test.skipIf(!hasPseudoTerminal)(
  'two typed inputs lead from an empty home to an approved action, also when the port is taken',
  { timeout: 240_000 },
  async () => {
    terminal = openPseudoTerminal([process.execPath, program, 'onboard'], environment())
    await terminal.until(`Port ${usualPort} is in use by another program`)
    await terminal.until('Your name?')
    terminal.type('Ana')
    await terminal.until('Which model?')
    await terminal.until('Keep ')
    terminal.press()
    await terminal.until('When should it ask you?')
    terminal.press()
    await terminal.until('Cost limit in dollars a month?')
    terminal.press()
    await terminal.until('work that starts on its own')
    terminal.press()
    await terminal.until('What should it try first?')
    terminal.press()
    const code = await terminal.until(/\n[A-Z0-9]{4} > /)
    expect(code).toContain('Create scheduled task')
    // A letter decides only a card that has stood there for a moment.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    terminal.type('a')
    await terminal.until('You approved it, and it is done')
    expect(terminal.typed()).toBe(2)
    expect(terminal.pressed()).toBe(4)

    await terminal.until('Next?')
    terminal.press('\u001b')
    await terminal.until('5 of 8 done')
    expect(await terminal.ended).toBe(0)
    expect(terminal.shown()).not.toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d/)
    expect(existsSync(homePaths({ COUNTERSIGN_HOME: home }, process.platform).trust)).toBe(true)
  },
)
