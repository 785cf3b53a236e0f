import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { errorCatalogue } from '../packages/contract/src/errors.ts'
import { dependencyDifferences, errorDifferences } from './listings.ts'
import { repository, type Workspace } from './workspace.ts'

const databaseErrors = "export type DatabaseErrorCode =\n  | 'database_not_started'\n"
const rows = [
  ...Object.entries(errorCatalogue).map(
    ([code, { exit, http }]) => `| \`${code}\` | ${exit} | ${http} | tried |`,
  ),
  '| `database_not_started` | tried |',
]

it('agrees with a table that lists every code once', () => {
  expect(errorDifferences(rows.join('\n'), databaseErrors)).toEqual([])
})

it('finds a code without a row, a row without a code and a wrong status', () => {
  const wrong = rows.with(0, '| `usage` | 2 | 500 | tried |')
  expect(errorDifferences(wrong.join('\n'), databaseErrors)).toEqual([
    'docs/errors.md: usage has exit 2 and status 400, not 2 and 500.',
  ])
  expect(errorDifferences(rows.slice(1).join('\n'), databaseErrors)).toEqual([
    'docs/errors.md has no row for usage.',
  ])
  expect(errorDifferences([...rows, '| `invented` | 1 | 500 |'].join('\n'), databaseErrors)).toEqual([
    'docs/errors.md lists invented, which is no error.',
  ])
})

it('finds the database codes in the real file', () => {
  const source = readFileSync(join(repository, 'packages/gateway/src/database/database-error.ts'), 'utf8')
  expect(errorDifferences(rows.join('\n'), source)).toContain(
    'docs/errors.md has no row for database_binaries_missing.',
  )
})

it('compares dependencies by name and, where one is given, by version', () => {
  const workspace: Workspace = {
    root: { name: 'root', devDependencies: { vitest: '5.1.0' } },
    members: [
      {
        folder: 'packages/contract',
        manifest: {
          name: '@countersign/contract',
          dependencies: { zod: '4.6.7', '@countersign/agent': 'workspace:*' },
        },
      },
    ],
    sources: [],
  }
  const good = '| `vitest` | 5.1.0 | MIT |\n| `zod` | shapes | MIT |'
  expect(dependencyDifferences(good, workspace)).toEqual([])
  expect(dependencyDifferences('| `vitest` | 5.0.0 | MIT |\n| `ajv` | 8.0.0 | MIT |', workspace)).toEqual([
    'docs/dependencies.md has no row for zod.',
    'docs/dependencies.md lists ajv, which is no dependency.',
    'docs/dependencies.md: vitest is pinned to 5.1.0, not 5.0.0.',
  ])
})
