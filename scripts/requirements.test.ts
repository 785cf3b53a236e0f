import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtinTools } from '../packages/tools/src/index.ts'
import { counted, requirementProblems, requirementsIn, requirementsPath } from './requirements.ts'
import { repository, repositoryFiles } from './workspace.ts'

const textOf = (path: string) => readFileSync(join(repository, path), 'utf8')

const tree = {
  paths: ['packages/a/src/a.ts', 'packages/a/src/a.test.ts', 'docs/decisions/0001-a.md'],
  promised: 'Files: read_file, write_file\n',
  tools: ['read_file', 'write_file', 'edit_file'],
}

const page = (...rows: readonly string[]) =>
  counted(
    [
      '# What was asked',
      '',
      '| Part | there | otherwise | later | open | All |',
      '| --- |',
      '',
      '## Agents',
      '',
      '### A1 Chat',
      '',
      '| What is asked | State | Where |',
      '| --- | --- | --- |',
      ...rows,
      '',
      'The end.',
    ].join('\n'),
  )

const good = [
  '| It answers | there | `packages/a/src/a.ts`; `packages/a/src/a.test.ts` |',
  '| It forgets | otherwise | 0001: it remembers |',
  '| It calls | later | channels |',
  '| It sings | open | no voice |',
]

const found = (document: string, changed: Partial<typeof tree> = {}) =>
  requirementProblems(document, { ...tree, ...changed }).map((problem) =>
    problem.replace(`${requirementsPath}: `, ''),
  )

describe('the table of what was asked', () => {
  it('is read with its parts, and has nothing to find where it is right', () => {
    expect(requirementsIn(page(...good)).map(({ part, state }) => [part, state])).toEqual([
      ['Agents', 'there'],
      ['Agents', 'otherwise'],
      ['Agents', 'later'],
      ['Agents', 'open'],
    ])
    expect(page(...good)).toContain('| Agents | 1 | 1 | 1 | 1 | 4 |\n| All | 1 | 1 | 1 | 1 | 4 |')
    expect(found(page(...good))).toEqual([])
  })

  it.each([
    ['| It flies | done | now |', /has the state done, which is none of/],
    ['| It flies | there | in the air |', /names no file that does it/],
    ['| It flies | there | `packages/a/src/a.ts` |', /names no test that shows it/],
    ['| It flies | there | `packages/a/src/a.test.ts` |', /names no file that does it/],
    [
      '| It flies | there | `packages/a/src/b.ts`; `packages/a/src/a.test.ts` |',
      /b\.ts, which does not exist/,
    ],
    ['| It flies | otherwise | it walks |', /names no decision/],
    ['| It flies | otherwise | 0002: it walks |', /decision 0002, which does not exist/],
    ['| It flies | later | some day |', /some day, which is none of channels/],
    ['| It flies | open | |', /says not what is missing/],
    ['| It flies | open | see `packages/a/src/gone.ts` |', /gone\.ts, which does not exist/],
  ])('refuses %s', (row, problem) => {
    const problems = found(page(...good, row))
    expect(problems.join('\n')).toMatch(problem)
  })

  it('refuses counts that are not those of the rows, and a document without any', () => {
    const more = page(...good).replace('| It sings ', '| It hums | open | no voice |\n| It sings ')
    expect(found(more)).toEqual([expect.stringMatching(/^The counts are not those of the rows/)])
    expect(found(counted(more))).toEqual([])
    expect(found('# Nothing\n')).toContain('There is no row.')
  })

  it('refuses a tool that was promised and is not offered', () => {
    expect(found(page(...good), { tools: ['read_file'] })).toEqual([
      'write_file was promised and is not in the catalogue.',
    ])
  })

  it('is right in the repository', () => {
    const promised = textOf('packages/tools/src/golden/promised.txt')
    const tools = builtinTools.filter(({ hidden }) => !hidden).map(({ name }) => name)
    expect(
      requirementProblems(textOf(requirementsPath), { paths: repositoryFiles(), promised, tools }),
    ).toEqual([])
  })
})
