/** Runs Python in the sandbox, without network. What code does cannot be listed, and it says so. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed } from '../result.ts'
import { commandText, pathText } from '../text.ts'
import { foundInterpreter, longestRun, resultOf } from './program.ts'

export const executePython = defineTool({
  name: 'execute_python',
  version: '1',
  description: 'Run Python 3 in the workspace, sandboxed, without network. Print what matters.',
  input: z.strictObject({
    code: commandText(100_000),
    cwd: pathText.default('.'),
    timeout_ms: z.int().min(100).max(longestRun).default(longestRun),
  }),
  category: 'code',
  group: 'codeExecution',
  tags: ['python', 'py', 'run', 'script', 'program', 'data', 'plot', 'chart', 'pandas', 'snippet'],
  effect: 'once',
  floor: 3,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  describe: ({ code }) => `Run Python: ${firstLine(code)}`,
  preview: ({ code, cwd }) => ({
    kind: 'code',
    title: `Run with Python in ${cwd === '.' ? 'the workspace' : cwd}; files can be written; no network.`,
    language: 'python',
    code,
  }),
  effects: ({ code, cwd }, look) =>
    foundInterpreter({ argv, cwd, object: `Python: ${firstLine(code)}`, fix }, look),
  async run({ code, cwd, timeout_ms }, hands, signal) {
    const place = hands.files.place(cwd)
    if (place.root !== 'workspace') return failed(`The working directory ${cwd} is outside the workspace.`)
    const outcome = await hands.shell.run({
      argv,
      cwd: place.path,
      stdin: code,
      timeoutMs: timeout_ms,
      signal,
    })
    return resultOf(outcome, `Python: ${firstLine(code)}`, timeout_ms)
  },
})

/** Isolated: no module of the workspace takes the place of one of the library. */
const argv = ['python3', '-I', '-']
const fix = 'apt-get install python3'
const firstLine = (code: string) => code.trim().split('\n')[0]?.slice(0, 120) ?? ''
