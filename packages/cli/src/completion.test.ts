import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandRow } from './command-row.ts'
import { commandTable, globalOptions } from './command-table.ts'
import { completionScript, shells } from './completion.ts'

const small: readonly CommandRow[] = [
  row('status', [], []),
  row('cost budget', [{ name: 'action', summary: 'what', required: false, choices: ['list', 'set'] }], []),
  row('doctor', [], [{ flags: '-f, --fix', summary: 'correct: it' }]),
]

function row(name: string, args: CommandRow['arguments'], options: CommandRow['options']): CommandRow {
  const load = () => Promise.reject(new Error('Completion loads no command.'))
  return { name, summary: `do ${name}`, arguments: args, options, examples: [], load }
}

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
    expect(complete(['approval', 'ap'])).toEqual(['approve'])
    expect(complete(['approval', 'approve', 'K7Q2', '--f'])).toEqual(['--for'])
    expect(complete(['--json', 'completion', 'p'])).toEqual(['pwsh'])
    expect(complete(['service', 'l'])).toEqual(['logs'])
    expect(complete(['doctor', '--de'])).toEqual(['--deep'])
  })

  it('does not take the value of an option for a command', () => {
    expect(complete(['--wait', '10m', 'approval', 'ap'])).toEqual(['approve'])
    expect(complete(['approval', '--url', 'http://x', 'de'])).toEqual(['deny'])
  })

  it('offers a word once, also where a command and the program both know it', () => {
    expect(complete(['provider', 'rm', '--ye'])).toEqual(['--yes'])
  })

  it('offers nothing that is no command', () => {
    expect(complete(['approval', 'zzz'])).toEqual([''])
  })

  it('works in a bash that has loaded it as an operator would', () => {
    const main = join(import.meta.dirname, 'main.ts')
    const home = mkdtempSync(join(tmpdir(), 'countersign-completion-'))
    const script = `countersign() { '${process.execPath}' '${main}' "$@"; }
source <(countersign completion bash)
complete -p countersign
COMP_WORDS=(countersign heal); COMP_CWORD=1; _countersign; echo "\${COMPREPLY[@]}"`
    const env = { PATH: '/usr/bin:/bin', HOME: home, COUNTERSIGN_HOME: home }
    try {
      const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env })
      expect({ stdout, stderr }).toEqual({
        stdout: 'complete -o default -F _countersign countersign\nhealth\n',
        stderr: '',
      })
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })

  it.each(shells)('is for %s exactly this, for a small table', async (shell) => {
    const script = completionScript(shell, small, [
      { flags: '--json', summary: "the operator's JSON" },
      { flags: '--wait <duration>', summary: 'how long' },
    ])
    await expect(script).toMatchFileSnapshot(join(import.meta.dirname, 'golden', `completion.${shell}`))
  })

  it.each(shells)('names every command for %s', (shell) => {
    const script = completionScript(shell, commandTable, globalOptions)
    for (const row of commandTable) expect(script).toContain(row.name)
  })
})
