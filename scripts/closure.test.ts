import { expect, it } from 'vitest'
import { closureLines, trustedClosure } from './closure.ts'
import type { Workspace } from './workspace.ts'

const workspace: Workspace = {
  root: { name: 'root' },
  members: [
    {
      folder: 'packages/contract',
      manifest: { name: '@countersign/contract', exports: { '.': './src/index.ts' } },
    },
  ],
  sources: [
    {
      path: 'packages/kernel/src/kernel.ts',
      text: "import { mint } from './permits.ts'\nimport type { Permit } from '@countersign/contract'\nimport pg from 'pg'\n",
    },
    { path: 'packages/kernel/src/permits.ts', text: "import './kernel.ts'\nexport const mint = 1\n" },
    { path: 'packages/kernel/src/permits.test.ts', text: "import './permits.ts'\n" },
    { path: 'packages/kernel/src/alone.ts', text: 'export const alone = 1\n' },
    {
      path: 'packages/contract/src/index.ts',
      text: "export { type Permit } from './permit.ts'\nexport * from './other.ts'\n",
    },
    { path: 'packages/contract/src/other.ts', text: 'export const other = 1\n' },
    { path: 'packages/contract/src/permit.ts', text: 'export interface Permit {}\n' },
  ],
}

it('holds what is reached by import, over packages and through types, and not what a package offers besides', () => {
  const files = trustedClosure(workspace, ['packages/kernel/src/kernel.ts'])
  expect(files.map(({ path }) => path).toSorted()).toEqual([
    'packages/contract/src/permit.ts',
    'packages/kernel/src/kernel.ts',
    'packages/kernel/src/permits.ts',
  ])
  expect(closureLines(files)[0]).toMatch(/^The trusted closure has 3 files, 6 lines, \d+ tokens\./)
})
