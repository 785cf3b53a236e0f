/**
 * Compiles code in the sandbox, where the workspace can only be read, and runs the outcome if asked. Nothing of it
 * stays, so it only looks.
 */
import { z } from 'zod'
import { defineTool, perMinute } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { commandText, pathText } from '../text.ts'
import { compilers, type Language, languages, notCompiled, prelude } from './compilers.ts'
import { execResource, programEffect, resultOf, seeFolder, usualRun, viewedProgram } from './program.ts'
import { viewOfCode } from './program-needs.ts'

export const compileCode = defineTool({
  name: 'compile_code',
  version: '6',
  description:
    'Compile C, C++ or Java (class Main), or check the syntax of TypeScript, JavaScript, Python, shell, SQL (of SQLite) or JSON without running it, and tell the errors; with run, run it too.',
  input: z
    .strictObject({
      code: commandText(100_000),
      language: z.enum(languages),
      run: z.boolean().default(false),
      cwd: pathText.default('.'),
    })
    .refine(({ language, run }) => !run || compilers[language].run !== null, 'SQL and JSON are not run'),
  category: 'code',
  group: 'codeExecution',
  tags: [
    'compile',
    'build',
    'gcc',
    'c',
    'c++',
    'cpp',
    'java',
    'typescript',
    'check',
    'syntax',
    'program',
    'validate code',
    'lint',
    'javascript',
    'python',
    'shell',
    'sql',
    'json',
  ],
  effect: 'once',
  rate: perMinute(5),
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'read-only',
  egress: 'none',
  describe: ({ language, run }) => `Compile${run ? ' and run' : ''} ${titles[language]}`,
  preview: ({ code, language, run, cwd }) => ({
    kind: 'code',
    title: `Compile${run ? ' and run' : ''} in ${cwd === '.' ? 'the workspace' : cwd}; files can only be read; no network.`,
    language,
    code,
  }),
  async effects({ code, language, run, cwd }, inspect) {
    const folder = await seeFolder(cwd, inspect)
    if (folder.kind !== 'folder') return folder
    const { program, fix } = compilers[language]
    const shell = await inspect.program('sh')
    const compiler = await inspect.program(program)
    if (!shell || !compiler)
      return { kind: 'unavailable', reason: `There is no ${program} in the sandbox.`, fix }
    const { path } = folder.location
    return {
      kind: 'found',
      resources: [
        viewedProgram(
          shell,
          argvOf(language, run),
          path,
          inspect,
          viewOfCode(code, path, inspect, () => []),
        ),
        execResource(compiler, [program], path, inspect, false),
      ],
      effects: [programEffect(`${run ? 'a program in' : 'a compiler for'} ${titles[language]}`, inspect)],
    }
  },
  async run({ code, language, run, cwd }, capabilities, signal) {
    const location = capabilities.files.locate(cwd)
    if (location.root !== 'workspace') return failed(`The working directory ${cwd} is outside the workspace.`)
    const outcome = await capabilities.shell.run({
      argv: argvOf(language, run),
      cwd: location.path,
      stdin: code.endsWith('\n') ? code : `${code}\n`,
      timeoutMs: usualRun,
      signal,
    })
    const result = resultOf(outcome, titles[language], usualRun)
    if (outcome.kind === 'failed' || outcome.end.kind !== 'exited') return result
    const words = compiled.has(language) ? compiledWords : checkedWords
    if (outcome.end.code === notCompiled)
      return { ...result, text: `${words.wrong}\n${result.text}`, summary: words.wrong }
    if (run || outcome.end.code !== 0) return result
    return succeeded(
      [words.right, outcome.stderr.trim()].filter((part) => part !== '').join('\n'),
      `${words.did} ${titles[language]}`,
    )
  },
})

const titles: Readonly<Record<Language, string>> = {
  c: 'C',
  cpp: 'C++',
  java: 'Java',
  typescript: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
  shell: 'shell',
  sql: 'SQL',
  json: 'JSON',
}

const compiled: ReadonlySet<Language> = new Set(['c', 'cpp', 'java', 'typescript'])
const compiledWords = { right: 'It compiles.', wrong: 'It does not compile.', did: 'Compiled' }
const checkedWords = { right: 'The syntax is right.', wrong: 'The syntax is wrong.', did: 'Checked' }

function argvOf(language: Language, run: boolean): string[] {
  const { compile, run: start } = compilers[language]
  return ['sh', '-c', [prelude, compile, ...(run && start !== null ? [start] : [])].join('\n')]
}
