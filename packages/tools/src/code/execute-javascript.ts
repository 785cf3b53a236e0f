/** Runs JavaScript with Node.js in the sandbox, without network. What code does cannot be listed, and it says so. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed } from '../result.ts'
import { commandText, pathText } from '../text.ts'
import { foundInterpreter, longestRun, resultOf } from './program.ts'

export const executeJavascript = defineTool({
  name: 'execute_javascript',
  version: '1',
  description:
    'Run JavaScript with Node.js in the workspace, sandboxed, without network. Print what matters.',
  input: z.strictObject({
    code: commandText(100_000),
    cwd: pathText.default('.'),
    timeout_ms: z.int().min(100).max(longestRun).default(longestRun),
  }),
  category: 'code',
  group: 'codeExecution',
  tags: ['javascript', 'js', 'node', 'run', 'script', 'program', 'eval', 'snippet', 'try code'],
  effect: 'once',
  floor: 3,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  describe: ({ code }) => `Run JavaScript: ${firstLine(code)}`,
  preview: ({ code, cwd }) => ({
    kind: 'code',
    title: `Run with Node.js in ${cwd === '.' ? 'the workspace' : cwd}; files can be written; no network.`,
    language: 'javascript',
    code,
  }),
  effects: ({ code, cwd }, look) =>
    foundInterpreter({ argv, cwd, object: `JavaScript: ${firstLine(code)}`, fix }, look),
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
    return resultOf(outcome, `JavaScript: ${firstLine(code)}`, timeout_ms)
  },
})

/** Node.js is found as any program; where the host has none, the sandbox has the one that runs Countersign. */
const argv = ['node', '-']
const fix = 'apt-get install nodejs'
const firstLine = (code: string) => code.trim().split('\n')[0]?.slice(0, 120) ?? ''
