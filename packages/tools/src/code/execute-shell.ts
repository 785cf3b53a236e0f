/** Runs a shell command in the sandbox, without network. What a shell does cannot be listed, and it says so. */
import type { ExecResource, FileResource } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type Found } from '../definition.ts'
import { fileResource } from '../files/place.ts'
import type { Ran } from '../hands.ts'
import type { Look } from '../look.ts'
import { failed, succeeded } from '../result.ts'
import { commandText, pathText } from '../text.ts'
import { commandWords } from './words.ts'

export const executeShell = defineTool({
  name: 'execute_shell',
  version: '1',
  description: 'Run a bash command in the workspace, sandboxed, without network.',
  input: z.strictObject({
    command: commandText(65_536),
    cwd: pathText.default('.'),
    timeout_ms: z.int().min(100).max(60_000).default(30_000),
  }),
  category: 'code',
  group: 'codeExecution',
  tags: ['bash', 'run', 'command', 'program', 'script'],
  effect: 'once',
  floor: 3,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  describe: ({ command }) => `Run: ${command}`,
  preview: ({ command, cwd }) => ({
    kind: 'shell',
    command,
    cwd,
    sandbox: 'The workspace can be written; no network.',
  }),
  async effects({ command, cwd }, look) {
    const place = look.place(cwd)
    if (place.root !== 'workspace')
      return { kind: 'invalid', reason: `The working directory ${cwd} is outside the workspace.` }
    const folder = await look.file(place)
    if (folder.kind === 'unavailable') return folder
    if (folder.kind !== 'directory')
      return { kind: 'invalid', reason: `The working directory ${cwd} does not exist.` }
    const shell = await look.program(shellPath)
    if (!shell) return { kind: 'unavailable', reason: 'There is no bash on this host.', fix: 'Install bash.' }
    const resources: (ExecResource | FileResource)[] = [
      execResource(shell, shellArgv(command), place.path, look, true),
      ...(await namedByWords(command, place.path, look)),
    ]
    return { kind: 'found', resources, effects: [effectOf(command)] }
  },
  async run({ command, cwd, timeout_ms }, hands, signal) {
    const place = hands.files.place(cwd)
    if (place.root !== 'workspace') return failed(`The working directory ${cwd} is outside the workspace.`)
    const outcome = await hands.shell.run({
      argv: [shellPath, ...shellArgv(command).slice(1)],
      cwd: place.path,
      timeoutMs: timeout_ms,
      signal,
    })
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const end = endOf(outcome, timeout_ms)
    const text = [
      outcome.stdout,
      outcome.stderr && `[stderr]\n${outcome.stderr}`,
      outcome.truncated && '[output cut]',
      `[${end}]`,
    ]
      .filter((part) => typeof part === 'string' && part !== '')
      .join('\n')
    if (outcome.end.kind === 'exited' && outcome.end.code === 0) return succeeded(text, `Ran: ${command}`)
    return { ok: false, text, summary: `${command}: ${end}`, undo: null }
  },
})

const shellPath = '/bin/bash'
const shellArgv = (command: string) => ['bash', '-c', command]
const mostOperands = 32

/** The shell does these itself, so the program of that name on disk is not what runs. */
const builtins = new Set(
  '. : [ alias bg break cd command continue declare dirs echo eval exec exit export false fg getopts hash jobs kill let local popd printf pushd pwd read readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset wait if then else elif fi for while until do done case esac in function select time { } ! [['.split(
    ' ',
  ),
)

function effectOf(command: string): Extract<Found, { kind: 'found' }>['effects'][number] {
  return { verb: 'execute', object: command, scope: 'inside', reversible: false, outward: false, leaves: [] }
}

function execResource(
  program: { path: string; content: string },
  argv: string[],
  cwd: string,
  look: Look,
  uninspectable: boolean,
): ExecResource {
  return { type: 'exec', ...program, argv, cwd, environment: look.environment, uninspectable }
}

async function namedByWords(
  command: string,
  cwd: string,
  look: Look,
): Promise<(ExecResource | FileResource)[]> {
  const words = commandWords(command)
  const found: (ExecResource | FileResource)[] = []
  for (const word of words.programs.slice(0, mostOperands)) {
    if (builtins.has(word)) continue
    const program = word.includes('/') && !word.startsWith('/') ? undefined : await look.program(word)
    if (program) found.push(execResource(program, [word], cwd, look, false))
    else found.push(...(await workspaceFile(word, cwd, look)))
  }
  for (const word of words.operands.slice(0, mostOperands))
    found.push(...(await workspaceFile(word, cwd, look)))
  return found
}

async function workspaceFile(word: string, cwd: string, look: Look): Promise<FileResource[]> {
  const place = look.place(word.startsWith('/') ? word : `${cwd}/${word}`)
  if (place.root !== 'workspace') return []
  const sight = await look.file(place)
  return sight.kind === 'file' ? [fileResource(place, 'read', sight)] : []
}

function endOf({ end }: Ran, timeoutMs: number): string {
  if (end.kind === 'exited') return `exit ${end.code}`
  return end.why === 'timeout' ? `stopped after ${timeoutMs} ms` : 'cancelled'
}
