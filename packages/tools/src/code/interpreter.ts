/** Owns the tools that hand code to an interpreter in the sandbox, without network. What it changes counts when it is taken over. */
import type { ForeignNeed } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, perMinute, type ToolDefinition } from '../definition.ts'
import { failed } from '../result.ts'
import { commandText, pathText } from '../text.ts'
import { foundInterpreter, longestRun, resultOf, usualRun } from './program.ts'
import { viewOfCode } from './program-needs.ts'

export interface Interpreter {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly tags: readonly string[]
  /** As people call the language. */
  readonly language: string
  /** As people call the program. */
  readonly program: string
  /** Reads the code from its standard input. */
  readonly argv: readonly string[]
  readonly fix: string
  /** Which packages from around the folder that it runs in the code loads. */
  packagesFor(code: string): readonly ForeignNeed[]
}

export function interpreterTool(interpreter: Interpreter): ToolDefinition {
  const { name, version, description, tags, language, program, argv, fix, packagesFor } = interpreter
  const what = (code: string) => `${language}: ${code.trim().split('\n')[0]?.slice(0, 120) ?? ''}`
  return defineTool({
    name,
    version,
    description,
    input: z.strictObject({
      code: commandText(100_000),
      cwd: pathText.default('.'),
      timeout_ms: z.int().min(100).max(longestRun).default(usualRun),
    }),
    category: 'code',
    group: 'codeExecution',
    tags,
    effect: 'once',
    rate: perMinute(10),
    floor: 0,
    output: { integrity: 'tool', confidentiality: 'private', sources: [] },
    runs: 'executor',
    sandbox: 'workspace-write',
    egress: 'none',
    undo: 'restore_workspace',
    describe: ({ code }) => `Run ${what(code)}`,
    preview: ({ code, cwd }) => ({
      kind: 'code',
      title: `Run with ${program} in ${cwd === '.' ? 'the workspace' : cwd}; files can be written; no network.`,
      language: language.toLowerCase(),
      code,
    }),
    effects: ({ code, cwd }, inspect) => {
      const viewIn = (path: string) => viewOfCode(code, path, inspect, packagesFor)
      return foundInterpreter({ argv, cwd, object: what(code), fix, viewIn }, inspect)
    },
    async run({ code, cwd, timeout_ms }, capabilities, signal) {
      const location = capabilities.files.locate(cwd)
      if (location.root !== 'workspace')
        return failed(`The working directory ${cwd} is outside the workspace.`)
      const command = { argv, cwd: location.path, stdin: code, timeoutMs: timeout_ms, signal, undoable: true }
      return resultOf(await capabilities.shell.run(command), what(code), timeout_ms)
    },
  })
}
