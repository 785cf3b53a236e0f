/** Runs a shell command in the sandbox, without network. What it changes counts when it is taken over. */
import type { ExecResource, FileResource } from '@countersign/contract'
import { z } from 'zod'
import type { ToolCapabilities } from '../capabilities.ts'
import { defineTool, perMinute } from '../definition.ts'
import { fileResource } from '../files/file-effects.ts'
import type { FileLocation, Inspector } from '../inspector.ts'
import { failed } from '../result.ts'
import { commandText, pathText } from '../text.ts'
import {
  execResource,
  longestRun,
  programEffect,
  resultOf,
  seeFolder,
  usualRun,
  viewedProgram,
} from './program.ts'
import { viewOfCommand } from './program-needs.ts'
import { commandWords, shellBuiltins } from './words.ts'

export const executeShell = defineTool({
  name: 'execute_shell',
  version: '9',
  description: 'Run a bash command in the workspace, sandboxed, without network.',
  input: z.strictObject({
    command: commandText(65_536),
    cwd: pathText.default('.'),
    timeout_ms: z.int().min(100).max(longestRun).default(usualRun),
  }),
  category: 'code',
  group: 'codeExecution',
  tags: [
    'bash',
    'run',
    'command',
    'program',
    'script',
    'terminal',
    'shell',
    'command line',
    'build',
    'execute',
    'compress',
    'zip',
    'tar',
    'unpack',
    'archive',
  ],
  effect: 'once',
  rate: perMinute(5),
  listed: true,
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  undo: 'restore_workspace',
  describe: ({ command }) => `Run: ${command}`,
  preview: ({ command, cwd }) => ({
    kind: 'shell',
    command,
    cwd,
    sandbox: 'The workspace can be written; no network.',
  }),
  async effects({ command, cwd }, inspect) {
    const folder = await seeFolder(cwd, inspect)
    if (folder.kind !== 'folder') return folder
    const { location } = folder
    const shell = await inspect.program(shellPath)
    if (!shell) return { kind: 'unavailable', reason: 'There is no bash on this host.', fix: 'Install bash.' }
    const view = viewOfCommand(command, location.path, inspect)
    const resources: (ExecResource | FileResource)[] = [
      viewedProgram(shell, shellArgv(command), location.path, inspect, view),
      ...(await namedByWords(command, location.path, inspect)),
    ]
    return { kind: 'found', resources, effects: [programEffect(command, inspect)] }
  },
  async run({ command, cwd, timeout_ms }, capabilities, signal) {
    const location = capabilities.files.locate(cwd)
    if (location.root !== 'workspace') return failed(`The working directory ${cwd} is outside the workspace.`)
    const outcome = await capabilities.shell.run({
      argv: [shellPath, ...shellArgv(command).slice(1)],
      cwd: location.path,
      timeoutMs: timeout_ms,
      signal,
      written: writtenFiles(command, location.path, capabilities),
      undoable: true,
    })
    return resultOf(outcome, command, timeout_ms)
  },
})

const shellPath = '/bin/bash'
const shellArgv = (command: string) => ['bash', '-c', command]
const mostOperands = 32

async function namedByWords(
  command: string,
  cwd: string,
  inspect: Inspector,
): Promise<(ExecResource | FileResource)[]> {
  const words = commandWords(command)
  const found: (ExecResource | FileResource)[] = []
  for (const word of words.programs.slice(0, mostOperands)) {
    if (shellBuiltins.has(word)) continue
    const program = word.includes('/') && !word.startsWith('/') ? undefined : await inspect.program(word)
    if (program) found.push(execResource(program, [word], cwd, inspect, false))
    else found.push(...(await workspaceFile(word, cwd, inspect)))
  }
  for (const word of words.operands.slice(0, mostOperands))
    found.push(...(await workspaceFile(word, cwd, inspect)))
  return found
}

function writtenFiles(command: string, cwd: string, { files }: ToolCapabilities): FileLocation[] {
  const { programs, operands } = commandWords(command)
  // A program without a slash is found among the system's, whatever the workspace holds of that name.
  const ownPrograms = programs.slice(0, mostOperands).filter((word) => word.includes('/'))
  return [...ownPrograms, ...operands.slice(0, mostOperands)]
    .map((word) => files.locate(word.startsWith('/') ? word : `${cwd}/${word}`))
    .filter((location): location is FileLocation => location.root === 'workspace')
}

async function workspaceFile(word: string, cwd: string, inspect: Inspector): Promise<FileResource[]> {
  const location = inspect.locate(word.startsWith('/') ? word : `${cwd}/${word}`)
  if (location.root !== 'workspace') return []
  const inspection = await inspect.file(location)
  return inspection.kind === 'file' ? [fileResource('read', { inspection })] : []
}
