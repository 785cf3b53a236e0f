import { describe, expect, it } from 'vitest'
import { findViolations, importsOf, kernelLines } from './boundaries.ts'
import type { Member, Source, Workspace } from './workspace.ts'

const typeArrows: readonly Source[] = [
  file('packages/kernel/src/approvals/approvals.ts', "import type { Permits } from '../permits/permits.ts'"),
  file(
    'packages/kernel/src/runs/assistant-port.ts',
    "import type { RecordTransaction } from '../records/record-transactions.ts'",
  ),
]

const members: readonly Member[] = [
  member('packages/contract', { zod: '4.6.7' }, { '.': 'index', './client': 'client', './node': 'node' }),
  member('packages/agent', { '@countersign/contract': 'workspace:*' }),
  member('packages/policy', { '@countersign/contract': 'workspace:*' }),
  member('packages/kernel', { '@countersign/agent': 'workspace:*', '@countersign/contract': 'workspace:*' }),
  member('packages/gateway', { '@countersign/kernel': 'workspace:*' }),
  member('packages/web', { '@countersign/contract': 'workspace:*' }),
  member('packages/cli', { '@countersign/contract': 'workspace:*', '@countersign/kernel': 'workspace:*' }),
  member('tests/prove', { '@countersign/kernel': 'workspace:*' }),
]

describe('the web app', () => {
  const web = 'packages/web/src/'

  it('draws upwards: a screen may use the kit, and the kit may not use a screen or the frame', () => {
    expect(violations(`${web}screens/goals/index.tsx`, "import { Page } from '../../kit/index.ts'")).toEqual(
      [],
    )
    expect(violations(`${web}kit/link.tsx`, "import { useGo } from '../environment/route.ts'")).toEqual([])
    expect(violations(`${web}kit/link.tsx`, "import { groups } from '../app/destinations.ts'")).toEqual([
      `${web}kit/link.tsx: kit may not import app.`,
    ])
    expect(violations(`${web}data/link.ts`, "import type { Tone } from '../kit/chip.tsx'")).toEqual([
      `${web}data/link.ts: data may not import kit.`,
    ])
  })

  it('knows the place of every folder', () => {
    expect(violations(`${web}helpers/a.ts`, '')).toEqual([
      'The web app has a folder without arrows: helpers.',
    ])
  })
})

describe('packages', () => {
  it('lets the command line import the client, and not the kernel', () => {
    expect(
      violations('packages/cli/src/a.ts', "import { connect } from '@countersign/contract/client'"),
    ).toEqual([])
    expect(violations('packages/cli/src/a.ts', "import { openStore } from '@countersign/kernel'")).toContain(
      'packages/cli/src/a.ts may not import @countersign/kernel.',
    )
  })

  it('refuses an arrow that only a type or a late import takes', () => {
    const refused = 'packages/cli/src/a.ts may not import @countersign/kernel.'
    expect(
      violations('packages/cli/src/a.ts', "import type { Kernel } from '@countersign/kernel'"),
    ).toContain(refused)
    expect(violations('packages/cli/src/a.ts', "const late = await import('@countersign/kernel')")).toContain(
      refused,
    )
  })

  it('lets a package import what it declares, and nothing that only its neighbour declares', () => {
    expect(violations('packages/contract/src/a.ts', "import { z } from 'zod'")).toEqual([])
    expect(violations('packages/agent/src/a.ts', "import { z } from 'zod'")).toEqual([
      'packages/agent/src/a.ts imports zod, which @countersign/agent does not declare.',
    ])
  })

  it('lets a test import what the root declares, and not the product', () => {
    const line = "import { expect } from 'vitest'"
    expect(violations('packages/agent/src/a.test.ts', line)).toEqual([])
    expect(violations('packages/agent/src/a.ts', line)).toEqual([
      'packages/agent/src/a.ts imports vitest, which @countersign/agent does not declare.',
    ])
  })

  it('enters a package only by a door that it names', () => {
    expect(
      violations('packages/agent/src/a.ts', "import { x } from '@countersign/contract/src/ids.ts'"),
    ).toContain(
      'packages/agent/src/a.ts imports @countersign/contract/src/ids.ts, which @countersign/contract does not export.',
    )
  })

  it('lets only the suites reach into another package by its path', () => {
    const line = "import { x } from '../../../packages/kernel/src/kernel.ts'"
    expect(violations('tests/prove/src/a.ts', line)).toEqual([])
    expect(violations('packages/agent/src/a.ts', "import { x } from '../../kernel/src/kernel.ts'")).toEqual([
      'packages/agent/src/a.ts reaches into another package: ../../kernel/src/kernel.ts.',
    ])
  })

  it('refuses test code in the product', () => {
    expect(violations('packages/agent/src/a.ts', "import { fake } from './testing/fake.ts'")).toEqual([
      'packages/agent/src/a.ts imports test code: ./testing/fake.ts.',
    ])
    expect(violations('packages/agent/src/a.test.ts', "import { fake } from './testing/fake.ts'")).toEqual([])
  })

  it('keeps files and sockets out of the pure packages', () => {
    expect(violations('packages/policy/src/a.ts', "import { createHash } from 'node:crypto'")).toEqual([])
    expect(violations('packages/policy/src/a.ts', "import { readFileSync } from 'node:fs'")).toEqual([
      'packages/policy/src/a.ts is pure and may not import node:fs.',
    ])
    expect(violations('packages/contract/src/node/a.ts', "import { readFileSync } from 'node:fs'")).toEqual(
      [],
    )
    expect(violations('packages/contract/src/a.ts', "import { readFileSync } from 'node:fs'")).toEqual([
      'packages/contract/src/a.ts is pure and may not import node:fs.',
    ])
  })

  it('refuses a version that is not one version, and a dependency that nothing imports', () => {
    const loose = member('packages/contract', { zod: '^4.6.7', left: '1.0.0' })
    const found = findViolations(
      workspace([file('packages/contract/src/a.ts', "import { z } from 'zod'")], [loose]),
    )
    expect(found).toEqual([
      'packages/contract/package.json does not pin zod to one version: ^4.6.7.',
      'packages/contract/package.json declares left, which nothing imports.',
    ])
  })

  it('lets a package read the version at the root, and refuses a second one', () => {
    const second = { folder: 'packages/cli', manifest: { name: '@countersign/cli', version: '0.2.0' } }
    const source = file(
      'packages/cli/src/version.ts',
      "import manifest from '../../../package.json' with { type: 'json' }",
    )
    expect(findViolations(workspace([source], [second]))).toEqual([
      'packages/cli/package.json has a version; the one of package.json holds for all.',
    ])
    expect(violations('packages/policy/src/a.ts', "import '../../../tsconfig.json'")).toContain(
      'packages/policy/src/a.ts reaches into another package: ../../../tsconfig.json.',
    )
  })
})

describe('folders of the kernel', () => {
  const judge = (path: string, text: string) => kernel([file(path, text)])

  it('lets dispatch import the permits, and not the permits dispatch', () => {
    expect(
      judge('packages/kernel/src/dispatch/a.ts', "import { mint } from '../permits/permits.ts'"),
    ).toEqual([])
    expect(
      judge('packages/kernel/src/permits/a.ts', "import { authorize } from '../dispatch/authorize.ts'"),
    ).toEqual(['packages/kernel/src/permits/a.ts: permits may not import dispatch.'])
  })

  it('holds a listed exception to types', () => {
    expect(
      judge('packages/kernel/src/approvals/a.ts', "import type { X } from '../permits/permits.ts'"),
    ).toEqual([])
    expect(judge('packages/kernel/src/approvals/a.ts', "import { x } from '../permits/permits.ts'")).toEqual([
      'packages/kernel/src/approvals/a.ts: approvals may not import permits, except its types.',
    ])
  })

  it('counts an import that names only types but loads the module as a value', () => {
    expect(
      judge('packages/kernel/src/approvals/a.ts', "import { type X } from '../permits/permits.ts'"),
    ).toEqual(['packages/kernel/src/approvals/a.ts: approvals may not import permits, except its types.'])
  })

  it('refuses an exception that no file needs', () => {
    expect(findViolations(workspace([file('packages/kernel/src/lanes/lanes.ts', '')], members))).toContain(
      'No file needs the type arrow approvals → permits any more.',
    )
  })

  it('lets only the file beside the folders compose them', () => {
    expect(judge('packages/kernel/src/kernel.ts', "import { createRuns } from './runs/runs.ts'")).toEqual([])
    expect(judge('packages/kernel/src/runs/a.ts', "import { openKernel } from '../kernel.ts'")).toContain(
      'packages/kernel/src/runs/a.ts is a folder of the kernel and may not import ../kernel.ts, which composes the folders.',
    )
  })

  it('refuses a folder that has no arrows', () => {
    expect(judge('packages/kernel/src/cellar/a.ts', 'export const a = 1')).toEqual([
      'The kernel has a folder without arrows: cellar.',
    ])
  })

  it('counts the lines of the kernel without its tests', () => {
    const sources = [
      file('packages/kernel/src/store/a.ts', 'one\ntwo'),
      file('packages/kernel/src/store/a.test.ts', 'three'),
      file('packages/agent/src/a.ts', 'four'),
    ]
    expect(kernelLines(workspace(sources, []))).toBe(2)
  })
})

describe('single holders', () => {
  it.each([
    'const home = process.env.HOME',
    "const home = process['env']['HOME']",
    'const { env } = process',
    "import { env } from 'node:process'",
  ])('lets only config read the environment: %s', (line) => {
    expect(violations('packages/gateway/src/config.ts', line)).toEqual([])
    expect(violations('packages/gateway/src/log.ts', line)).toEqual([
      'packages/gateway/src/log.ts reads the environment; only config does.',
    ])
  })

  it('lets only the gateway construct the kernel', () => {
    const line = "import { openKernel } from '@countersign/kernel'"
    expect(violations('packages/gateway/src/gateway.ts', line)).toEqual([])
    expect(violations('packages/gateway/src/server/api.ts', line)).toEqual([
      'packages/gateway/src/server/api.ts constructs the kernel; only packages/gateway/src/main.ts may.',
    ])
  })

  it('lets anyone in the kernel read the ledger, and only the ledger write it', () => {
    const path = 'packages/kernel/src/policies/a.ts'
    expect(kernel([file(path, "db.selectFrom('ledger_entries')")])).toEqual([])
    expect(kernel([file(path, "db.insertInto('ledger_entries')")])).toHaveLength(1)
    expect(kernel([file(path, 'sql`insert into ledger_entries (seq) values (1)`')])).toHaveLength(1)
    expect(kernel([file('packages/kernel/src/ledger/a.ts', "db.insertInto('ledger_entries')")])).toEqual([])
  })
})

describe('reading imports', () => {
  it('finds every form and tells types from values', () => {
    const text = [
      "import a from 'a'",
      "import type { B } from 'b'",
      'import {',
      '  c,',
      "} from 'c'",
      "import 'd'",
      "export * from 'e'",
      "export type { F } from 'f'",
      "const g = await import('g')",
      "function h(stats: import('h').Stats): void {}",
      "const i = import.meta.resolve('i')",
      "const j = createRequire(import.meta.url).resolve('j')",
    ].join('\n')
    const found = Object.fromEntries(importsOf(text).map(({ specifier, kind }) => [specifier, kind]))
    expect(found).toEqual({
      a: 'value',
      b: 'type',
      c: 'value',
      d: 'value',
      e: 'value',
      f: 'type',
      g: 'value',
      h: 'type',
      i: 'value',
      j: 'value',
    })
  })

  it('takes no comment, no string and no other resolve for an import', () => {
    const text = [
      '/**',
      " * import a from 'a'",
      ' */',
      "// import b from 'b'",
      "promise.resolve('c')",
      "export const text = 'from'",
    ].join('\n')
    expect(importsOf(text)).toEqual([])
  })
})

function violations(path: string, text: string): string[] {
  return findViolations(workspace([file(path, text)], members)).filter(
    (line) => !line.includes('nothing imports'),
  )
}

function kernel(sources: readonly Source[]): string[] {
  return findViolations(workspace([...typeArrows, ...sources], members)).filter(
    (line) => !line.includes('nothing imports'),
  )
}

function workspace(sources: readonly Source[], known: readonly Member[]): Workspace {
  return { root: { name: 'root', devDependencies: { vitest: '5.1.0' } }, members: known, sources }
}

function file(path: string, text: string): Source {
  return { path, text: `${text}\n` }
}

function member(
  folder: string,
  dependencies: Record<string, string>,
  exports: Record<string, string> = { '.': 'index' },
): Member {
  const name = `@countersign/${folder.split('/')[1]}`
  return { folder, manifest: { name, exports, dependencies } }
}
