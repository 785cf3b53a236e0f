import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createContext, type Handler, type OptionValues } from '../context.ts'
import { written } from '../output/answer.ts'
import { usualFlags } from '../testing/flags.ts'
import { testHome, testHost } from '../testing/home.ts'
import { create, labProgram, test } from './tool-lab.ts'

const home = testHome()
afterAll(() => home.remove())

interface CommandRun {
  readonly output: string
  readonly errors: string
  readonly exit: number
}

async function run(
  handler: Handler,
  argument: string,
  options: OptionValues = {},
  flags: { json?: boolean; terminal?: boolean; waitMs?: number } = {},
): Promise<CommandRun> {
  const host = testHost({ home, terminal: flags.terminal === true })
  const context = createContext(host, { ...usualFlags, json: flags.json === true, waitMs: flags.waitMs })
  const answer = await handler(context, [argument], options)
  const { output, errors, exit } = written(answer, flags.json === true)
  return { output: host.written() + output, errors: host.complaints() + errors, exit }
}

const place = (name: string) => join(home.folder, name)
const folder = home.folder

describe('countersign tool new', () => {
  it('makes a tool whose tests pass, and says what to do next', async () => {
    const { output, exit } = await run(create, 'count_lines', { folder })
    expect(exit).toBe(0)
    expect(output).toContain('Made count_lines in ')
    expect(output).toContain('node --test')
    expect(output).toContain('countersign tool test ')
    const tests = spawnSync(process.execPath, ['--test'], { cwd: place('count_lines'), encoding: 'utf8' })
    expect(tests.status, tests.stdout).toBe(0)
  })

  it('makes one on records as well', async () => {
    const { output, exit } = await run(create, 'keep_line', { folder, kind: 'record' }, { json: true })
    expect({ exit, document: JSON.parse(output) }).toMatchObject({
      exit: 0,
      document: {
        ok: true,
        name: 'keep_line',
        folder: place('keep_line'),
        files: expect.arrayContaining(['keep-line.ts']),
      },
    })
  })

  it('refuses a bad name, a name that is taken, an existing folder and an unknown kind', async () => {
    expect(await run(create, 'Count-Lines', { folder })).toMatchObject({
      exit: 2,
      errors: expect.stringContaining('count_words'),
    })
    expect(await run(create, 'read_file', { folder })).toMatchObject({
      exit: 2,
      errors: expect.stringContaining('built-in'),
    })
    expect(await run(create, 'count_lines', { folder })).toMatchObject({
      exit: 2,
      errors: expect.stringContaining('exists already'),
    })
    expect(await run(create, 'other', { folder, kind: 'magic' })).toMatchObject({ exit: 2 })
    expect(existsSync(place('other'))).toBe(false)
  })
})

describe('countersign tool test', () => {
  const file = place('count_lines/count-lines.ts')

  it('passes what was made, with a table of checks', async () => {
    const { output, exit } = await run(test, place('count_lines'), { count: '50', seed: '7' })
    expect(exit).toBe(0)
    expect(output.split('\n').slice(1, -1)).toEqual([
      '',
      expect.stringMatching(/^ {2}✓ definition {2}version 1, executor, at least T0, 1 argument$/),
      expect.stringMatching(/^ {2}✓ arguments {3}\d+ right ones taken/),
      expect.stringMatching(/^ {2}✓ cards {7}\d+ calls shown/),
      expect.stringMatching(/^ {2}✓ display {5}16 hostile texts in one argument/),
      '  ✓ imports     nothing of the runtime',
      '  ✓ effects     2 of 2 examples run in bubblewrap, nothing changed',
      '  – undo        it declares none, and promised none',
      '',
      expect.stringMatching(/^6 passed, 1 did not apply\. 50 arguments from seed 7, \d+\.\d s\.$/),
    ])
  })

  it('fails what lies, with the sentence, the arguments and the way out', async () => {
    const honest = readFileSync(file, 'utf8')
    const lie = "await capabilities.files.write(capabilities.files.locate('notes/x.txt'), new Uint8Array(1))"
    writeFileSync(file, honest.replace('const outcome', `${lie}\n    const outcome`))
    const { output, errors, exit } = await run(test, file, { count: '20', seed: '7' })
    expect(exit).toBe(1)
    expect(output).toContain('✗ effects')
    expect(output).toContain('It tried to write notes/x.txt, which effects does not name (2 times).')
    expect(output).toContain('with {"path":"letter.txt"}')
    expect(errors).toContain('count_lines does not hold: effects.')
    expect(errors).toContain('--seed 7')
    const machine = await run(test, file, { count: '20', seed: '7' }, { json: true })
    expect(JSON.parse(machine.output)).toMatchObject({
      ok: false,
      error: {
        type: 'tool_test_failed',
        details: { reports: [{ tool: 'count_lines', ok: false, seed: 7 }] },
      },
    })
    expect(machine.exit).toBe(1)
    writeFileSync(file, honest)
  })

  it('runs with the arguments and the files that are given, and shows nothing raw', async () => {
    writeFileSync(place('args.json'), JSON.stringify({ path: 'given.txt' }))
    writeFileSync(place('given.txt'), 'one two')
    const files = place('count_lines')
    const missing = await run(test, file, { count: '20', args: `@${place('args.json')}`, files })
    expect(missing).toMatchObject({
      exit: 1,
      output: expect.stringContaining('did not run: given.txt is not a file'),
    })
    const there = await run(test, file, { count: '20', args: '{"path":"README.md"}', files })
    expect(there).toMatchObject({
      exit: 0,
      output: expect.stringContaining('1 of 1 example run in bubblewrap'),
    })
    const evil = await run(test, place('no\u001b[31msuch.ts'))
    expect(evil.errors).toContain('⟨U+001B⟩')
  })

  it('refuses a command line that it does not understand', async () => {
    for (const options of [
      { count: '0' },
      { seed: 'x' },
      { args: '[1]' },
      { args: '@nowhere.json' },
      { open: 'localhost' },
    ])
      expect(await run(test, file, options), JSON.stringify(options)).toMatchObject({ exit: 2 })
  })

  it('ends a tool that never comes back, and says where it was', async () => {
    const honest = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      honest.replace('describe: ({ path }) =>', 'describe: ({ path }) => { while (path) ; return'),
    )
    writeFileSync(file, readFileSync(file, 'utf8').replace('words of ${path}`,', 'words of ${path}` },'))
    const { errors, exit } = await run(test, file, { count: '20' }, { waitMs: 3_000 })
    expect(exit).toBe(2)
    expect(errors).toContain('made no progress for 3 s')
    expect(errors).toContain('arguments, 20 of 20')
    writeFileSync(file, honest)
  })
})

describe('the lab', () => {
  it('is found in the repository, and beside a bundled command', () => {
    expect(labProgram()).toMatch(/tool-lab\/src\/main\.ts$/)
    writeFileSync(place('lab.js'), '')
    expect(labProgram(pathToFileURL(place('countersign.js')).href)).toBe(place('lab.js'))
  })
})
