import { expect, test } from 'vitest'
import type { InstalledExtensions } from './extension.ts'
import { extensionParts } from './extension-parts.ts'

const skill = (addedAt: string): InstalledExtensions['skills'][number] => ({
  name: 'letters',
  description: '',
  tree: 'a'.repeat(64),
  files: [],
  source: '',
  reviewed: true,
  enabled: true,
  allowedTools: null,
  addedAt,
})
const part = (name: string, lastAt: string) => ({ part: name, calls: 3, failures: 1, lastAt })
const use = {
  since: '2026-08-01T00:00:00.000Z',
  extensions: [
    {
      name: 'letters',
      parts: [part('use_skill', '2026-11-10T00:00:00.000Z'), part('send', '2026-11-12T00:00:00.000Z')],
    },
  ],
}
const of = (addedAt: string) => extensionParts({ servers: [], skills: [skill(addedAt)], proposals: [] }, use)

test('a skill was used by its own tools, and not by those of a server that had its name', () => {
  expect(of('2026-11-01T00:00:00.000Z')).toMatchObject([
    { calls: 3, failures: 1, lastAt: '2026-11-10T00:00:00.000Z' },
  ])
})
