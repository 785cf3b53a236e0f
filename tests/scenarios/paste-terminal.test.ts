/** Pasting as a terminal does it: a real pseudo terminal, the marks around what is pasted, and a model that hears it. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ModelServer, startModelServer } from '@countersign/model-servers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasPseudoTerminal, openPseudoTerminal, type PseudoTerminal } from './pseudo-terminal.ts'

const program = join(fileURLToPath(import.meta.resolve('@countersign/cli')), '..', 'main.ts')

let home: string
let model: ModelServer
let heard: string[]
let terminal: PseudoTerminal | undefined

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'countersign-paste-'))
  heard = []
  model = await startModelServer({
    script: ({ lastUser }) => {
      heard.push(lastUser)
      return { text: 'Understood.' }
    },
  })
})

afterEach(async () => {
  terminal?.kill()
  await command('uninstall', '--yes')
  await model.close()
  rmSync(home, { recursive: true, force: true })
})

function environment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    COUNTERSIGN_HOME: home,
    COUNTERSIGN_PORT: '0',
    COUNTERSIGN_VAULT_KEY: 'file',
    COUNTERSIGN_MODEL: 'scripted',
    COUNTERSIGN_MODEL_URL: `${model.url}/v1`,
    COUNTERSIGN_MODEL_KEY: 'sk-test-0123456789abcdef',
  }
}

/** The model server answers from this process, which therefore may not stand still. */
async function command(...words: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [program, ...words, '--plain'], { env: environment() })
}

test.skipIf(!hasPseudoTerminal)(
  'several pasted lines are one message, which is sent by Enter and not by the paste',
  { timeout: 240_000 },
  async () => {
    await command('up')
    terminal = openPseudoTerminal([process.execPath, program, 'chat'], environment())
    await terminal.until('Ctrl-D leaves')
    await terminal.until('> ')
    terminal.press('\u001b[200~Two things:\rbread\rmilk\u001b[201~')
    await terminal.until('Two things:↵bread↵milk')
    expect(heard).toEqual([])
    terminal.type(' and tea')
    await terminal.until('Understood.')
    expect(heard.filter((text) => text.includes('bread'))).toEqual([
      expect.stringContaining('Two things:\nbread\nmilk and tea'),
    ])
    terminal.press('\u0004')
    expect(await terminal.ended).toBe(0)
  },
)
