import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { NewRequest } from './request.ts'
import { scaffold } from './scaffold.ts'
import { askLab, checkIn, failedIn } from './testing/run-lab.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-scaffold-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function make(name: string, kind: NewRequest['kind'] = 'executor') {
  return scaffold({ ask: 'new', name, folder, kind })
}

function testsIn(place: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--test'], { cwd: place, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

describe('a new tool', () => {
  for (const [kind, name, honest, broken] of [
    ['executor', 'count_lines', '`${words} words`, `Counted', '`many words`, `Counted'],
    ['record', 'keep_line', 'insert(collection', "insert('elsewhere'"],
  ] as const) {
    it(`of the kind ${kind} has tests that pass, and that fail when it is broken`, () => {
      const made = make(name, kind)
      expect(made).toMatchObject({ kind: 'made', folder: join(folder, name) })
      const passing = testsIn(join(folder, name))
      expect(passing, passing.output).toMatchObject({ status: 0 })
      const file = join(folder, name, `${name.replaceAll('_', '-')}.ts`)
      const text = readFileSync(file, 'utf8')
      expect(text).toContain(honest)
      writeFileSync(file, text.replace(honest, broken))
      expect(testsIn(join(folder, name)).status).toBe(1)
      writeFileSync(file, text)
    })

    it(`of the kind ${kind} holds everything that the lab asks`, async () => {
      const answer = await askLab({ ask: 'test', target: name, folder, open: [], count: 200, seed: 3 })
      if (answer.kind !== 'examined' || !answer.reports[0]) throw new Error(JSON.stringify(answer))
      expect(failedIn(answer.reports[0])).toEqual([])
      expect(checkIn(answer.reports[0], 'effects')).toMatchObject({ state: 'passed' })
    })
  }

  it('uses the product that is installed beside it, where there is one', () => {
    const place = join(folder, 'with-product')
    const installed = join(place, 'node_modules', 'countersign')
    mkdirSync(installed, { recursive: true })
    writeFileSync(
      join(installed, 'package.json'),
      JSON.stringify({ name: 'countersign', exports: { './tools': './tools.js' } }),
    )
    writeFileSync(join(installed, 'tools.js'), '')
    scaffold({ ask: 'new', name: 'my_tool', folder: place, kind: 'executor' })
    expect(existsSync(join(place, 'my_tool', 'node_modules'))).toBe(false)
  })
})

describe('a name', () => {
  it('is refused when it is none, with an example of one', () => {
    for (const name of [
      '',
      'CountLines',
      'count-lines',
      '../x',
      'count__lines',
      '1st',
      'a'.repeat(65),
      'a\u200bb',
    ])
      expect(make(name), name).toMatchObject({ kind: 'failed', next: expect.stringContaining('count_words') })
  })

  it('is refused when a built-in tool has it', () => {
    expect(make('write_file')).toMatchObject({
      kind: 'failed',
      message: 'There is a built-in tool write_file.',
    })
  })

  it('is refused when the folder is there, and nothing in it is touched', () => {
    const place = join(folder, 'taken')
    mkdirSync(place)
    writeFileSync(join(place, 'mine.txt'), 'mine')
    expect(make('taken')).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('exists already'),
    })
    expect(existsSync(join(place, 'taken.ts'))).toBe(false)
  })
})
