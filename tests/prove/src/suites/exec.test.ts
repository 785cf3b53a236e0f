import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../packages/executor/src/testing/random.ts'
import { commandFor, readCommands } from './exec/commands.ts'
import { tryInstallation } from './exec/whole-installation.ts'

const commands = readCommands()

describe('the commands', () => {
  it('are many, all different, and each names its mark', () => {
    expect(commands.length).toBeGreaterThan(600)
    expect(new Set(commands.map(({ template }) => template)).size).toBe(commands.length)
    const texts = commands.map((command) => [
      commandFor(command, { name: 'one', port: 1 }),
      commandFor(command, { name: 'two', port: 1 }),
    ])
    expect(texts.filter(([one, two]) => one === two)).toEqual([])
  })
})

describe('a command', { timeout: 60_000 }, () => {
  it('counts in an installation whose shell says that it does nothing, and the suite sees the mark', async () => {
    const mutation = fileURLToPath(new URL('../mutants/shell-taken-for-a-look.ts', import.meta.url))
    const plain = [{ family: 'plain', template: '@@' }]
    const { wrong } = await tryInstallation({ commands: plain, count: 1, random: createRandom(1), mutation })
    expect(wrong).toContain('what execute_shell did counts without asking in the installation')
  })
})
