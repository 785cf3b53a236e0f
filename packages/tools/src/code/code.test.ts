import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { clipped } from './clip.ts'
import { compileCode } from './compile-code.ts'
import { executeJavascript } from './execute-javascript.ts'
import { executePython } from './execute-python.ts'
import { codeTools } from './index.ts'

const workspace = createBareWorkspace()
afterAll(() => workspace.remove())
const use = async (tool: typeof compileCode, args: Parameters<typeof workspace.use>[1]) =>
  (await workspace.use(tool, args)).result

describe('running code', () => {
  it('gives what JavaScript printed, and can write in the workspace', async () => {
    const code = "require('node:fs').writeFileSync('made.txt', 'x'); console.log([1, 2].map((n) => n * 2))"
    expect(await use(executeJavascript, { code })).toMatchObject({
      ok: true,
      text: expect.stringMatching(/^\[ 2, 4 \]\n\n\[exit 0, \d+ ms\]$/),
    })
    expect(readFileSync(join(workspace.root, 'made.txt'), 'utf8')).toBe('x')
    const wrong = await use(executeJavascript, { code: 'throw new Error("no")' })
    expect(wrong).toMatchObject({ ok: false, text: expect.stringContaining('Error: no') })
  })

  it('gives what Python printed', async () => {
    const result = await use(executePython, { code: 'import math\nprint(math.factorial(20), "ü")' })
    expect(result).toMatchObject({
      ok: true,
      text: expect.stringMatching(/^2432902008176640000 ü\n\n\[exit 0, \d+ ms\]$/),
    })
    expect((await use(executePython, { code: 'import sys; sys.exit(3)' })).text).toMatch(
      /^\[exit 3, \d+ ms\]$/,
    )
  })

  it('ends code that runs too long', async () => {
    const result = await use(executePython, { code: 'while True: pass', timeout_ms: 300 })
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('[stopped after 300 ms, ') })
  })

  it('always shows the code and says that it cannot be inspected', async () => {
    const code = 'print(1)'
    expect(await workspace.resolve(executePython, { code })).toMatchObject({
      effects: [{ verb: 'execute', reversible: false }],
      resources: [
        {
          type: 'exec',
          argv: ['python3', '-I', '-c', expect.stringContaining('python_packages')],
          uninspectable: true,
        },
      ],
    })
    expect(executePython.preview({ code, cwd: '.' })).toMatchObject({ kind: 'code', code })
  })

  it('only looks where there is a view, over which what it changes is held', async () => {
    const viewed = { ...workspace.inspect, view: true }
    for (const tool of codeTools.filter(({ name }) => name !== 'package_manager')) {
      if (tool.runs !== 'executor') throw new Error('not an executor tool')
      const args = { code: '1', command: 'ls', language: 'c', run: false, cwd: '.' }
      expect(tool.floor).toBe(0)
      expect(await tool.effects(args, viewed), tool.name).toMatchObject({
        effects: [{ verb: 'read', scope: 'inside', reversible: true }],
        resources: expect.arrayContaining([
          expect.objectContaining({ uninspectable: true, view: expect.any(Object) }),
        ]),
      })
    }
  })

  it('refuses a folder outside, hidden characters and more time than ten minutes', async () => {
    expect(await workspace.resolve(executePython, { code: '1', cwd: '/etc' })).toMatchObject({
      kind: 'invalid',
    })
    expect(parseArgs(executePython, { code: 'a\u202eb' })).toMatchObject({ kind: 'invalid' })
    expect(parseArgs(executePython, { code: '1', timeout_ms: 600_001 })).toMatchObject({ kind: 'invalid' })
  })

  it('says how to get an interpreter that is missing', async () => {
    const bare = { ...workspace.inspect, program: async () => undefined }
    if (executePython.runs !== 'executor') throw new Error('not an executor tool')
    expect(await executePython.effects({ code: '1', cwd: '.' }, bare)).toMatchObject({
      kind: 'unavailable',
      fix: 'apt-get install python3',
    })
  })
})

describe('compile_code', () => {
  it.each([
    [
      'c',
      '#include <stdio.h>\nint main(void) { printf("%d", 6 * 7); return 0; }',
      'int main(void) { return x; }',
    ],
    ['cpp', '#include <iostream>\nint main() { std::cout << 6 * 7; }', 'int main() { return x; }'],
    ['typescript', 'const n: number = 6 * 7\nconsole.log(String(n))', 'const n: = 3'],
  ])('compiles %s, runs it, and tells the errors', async (language, right, wrong) => {
    expect(await use(compileCode, { language, code: right })).toMatchObject({
      ok: true,
      text: 'It compiles.',
    })
    const ran = await use(compileCode, { language, code: right, run: true })
    expect(ran).toMatchObject({ ok: true, text: expect.stringMatching(/^42\s*\[exit 0, \d+ ms\]$/) })
    const errors = await use(compileCode, { language, code: wrong, run: true })
    expect(errors).toMatchObject({ ok: false, summary: 'It does not compile.' })
  })

  it('gives the exit code of the program, and refuses a language that it does not know', async () => {
    const code = 'int main(void) { return 7; }'
    expect((await use(compileCode, { language: 'c', code, run: true })).text).toMatch(/^\[exit 7, \d+ ms\]$/)
    expect(parseArgs(compileCode, { language: 'cobol', code })).toMatchObject({ kind: 'invalid' })
  })
})

describe('compile_code for what needs no compiler', () => {
  it.each([
    ['javascript', 'import { x } from "./y.mjs"\nawait x()', 'let = ;', 'SyntaxError'],
    ['javascript', 'with (Math) console.log(PI)', 'function (', 'SyntaxError'],
    ['python', 'raise SystemExit(3)', 'def f(:\n  pass', 'SyntaxError'],
    ['shell', 'rm -rf / # never run', 'if true; then', 'syntax error'],
    ['sql', "select a from missing; insert into x values ('a;b')", 'select from where', 'syntax error'],
    ['sql', 'create table t (a text);\n', "select 'open", 'unrecognized token'],
    ['json', '{"a": [1]}', '{"a": [1,]}', 'JSON'],
  ])('checks %s without running it', async (language, right, wrong, said) => {
    expect(await use(compileCode, { language, code: right })).toMatchObject({
      ok: true,
      text: 'The syntax is right.',
    })
    const errors = await use(compileCode, { language, code: wrong })
    expect(errors).toMatchObject({ ok: false, summary: 'The syntax is wrong.' })
    expect(errors.text).toContain(said)
  })

  it('runs what can be run, and refuses the rest', async () => {
    expect((await use(compileCode, { language: 'python', code: 'print(6 * 7)', run: true })).text).toContain(
      '42',
    )
    expect(parseArgs(compileCode, { language: 'json', code: '{}', run: true })).toMatchObject({
      kind: 'invalid',
    })
  })
})

describe.skipIf(!existsSync('/usr/bin/javac'))('compile_code for Java', () => {
  it('compiles and runs the class Main', async () => {
    const code = 'public class Main { public static void main(String[] a) { System.out.print(42); } }'
    expect((await use(compileCode, { language: 'java', code, run: true })).text).toMatch(
      /^42\n\[exit 0, \d+ ms\]$/,
    )
    const wrong = await use(compileCode, { language: 'java', code: 'class Main { int x = "a"; }' })
    expect(wrong).toMatchObject({ ok: false, text: expect.stringContaining('incompatible types') })
  })
})

describe('what a program said', () => {
  it('is cut where it is too long', () => {
    expect(clipped('x', false)).toBe('x')
    expect(clipped('x', true)).toBe('x\n[cut]')
    expect(clipped('x'.repeat(300_000), false)).toHaveLength(200_000 + '\n[cut]'.length)
  })
})
