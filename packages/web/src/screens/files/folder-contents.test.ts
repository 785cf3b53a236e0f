import type { WorkspaceEntry } from '@countersign/contract'
import { expect, test } from 'vitest'
import { filesBelow, mostDeletedFiles } from './folder-contents.ts'

const at = '2026-11-16T10:00:00.000Z'
const entry = (path: string, kind: WorkspaceEntry['kind']): WorkspaceEntry => ({
  name: path.split('/').at(-1) ?? '',
  path,
  kind,
  size: 1,
  modifiedAt: at,
  label: null,
})

const listing = (tree: Readonly<Record<string, readonly WorkspaceEntry[]>>) => (path: string) =>
  Promise.resolve({ path, entries: [...(tree[path] ?? [])], more: false })

test('every file of a folder is found, however deep', async () => {
  const tree = {
    a: [entry('a/b', 'folder'), entry('a/x.txt', 'file')],
    'a/b': [entry('a/b/c', 'folder')],
    'a/b/c': [entry('a/b/c/y.txt', 'file')],
  }
  expect(await filesBelow(listing(tree), 'a')).toEqual(['a/x.txt', 'a/b/c/y.txt'])
})

test('links and too many files are left alone', async () => {
  expect(await filesBelow(listing({ a: [entry('a/l', 'link')] }), 'a')).toBeNull()
  const many = Array.from({ length: mostDeletedFiles + 1 }, (_, place) => entry(`a/${place}`, 'file'))
  expect(await filesBelow(listing({ a: many }), 'a')).toBeNull()
})
