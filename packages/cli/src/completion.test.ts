import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { commandTable, globalOptions } from './command-table.ts'
import { completionScript, shells } from './completion.ts'

const bash = completionScript('bash', commandTable, globalOptions)

function complete(words: string[]): string[] {
  const program = `${bash}
COMP_WORDS=(countersign ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_countersign
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split('\n')
}

describe('completion', () => {
  it('is valid bash', () => {
    execFileSync('bash', ['-n'], { input: bash })
  })

  it('completes commands, verbs, options and shells', () => {
    expect(complete(['st'])).toEqual(['status'])
    expect(complete(['approval', 'a'])).toEqual(['approve'])
    expect(complete(['approval', 'approve', 'K7Q2', '--f'])).toEqual(['--for'])
    expect(complete(['--json', 'completion', 'p'])).toEqual(['pwsh'])
  })

  it('offers nothing that is no command', () => {
    expect(complete(['approval', 'zzz'])).toEqual([''])
  })

  it.each(shells)('names every command for %s', (shell) => {
    const script = completionScript(shell, commandTable, globalOptions)
    for (const row of commandTable) expect(script).toContain(row.name)
  })
})
