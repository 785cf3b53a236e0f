import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ApprovalSubject, Resource, ToolResult } from '@countersign/contract'
import type { ToolCapabilities } from '@countersign/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OpenCapabilities } from './capabilities/capabilities.ts'
import { createFileTrace } from './file-trace.ts'
import { laterTick } from './testing/later-tick.ts'

let root: string
const write = (path: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), 'x')
}
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'trace-'))
  write('app/node_modules/x/README.md')
  await laterTick()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const result: ToolResult = { ok: true, text: '', summary: '', undo: null }
const program = (uninspectable: boolean): Resource => ({
  type: 'exec',
  path: '/bin/x',
  content: '',
  argv: [],
  cwd: '.',
  environment: '',
  uninspectable,
  view: null,
})
const subjectOf = (sandbox: string, ...resources: Resource[]) =>
  ({ sandbox, resources }) as unknown as ApprovalSubject
const capabilities = {
  files: {
    list: () =>
      Promise.resolve({
        kind: 'listed',
        entries: ['app', 'app/node_modules', 'app/node_modules/x'].map((path) => ({ path })),
      }),
  },
} as unknown as OpenCapabilities

async function traced(subject: ApprovalSubject, act: (given: ToolCapabilities) => unknown = () => undefined) {
  const trace = createFileTrace(root)
  const { files } = await trace(subject, capabilities, async (given) => {
    await act(given)
    return result
  })
  return files
}

test('a program that can write tells what changed, and what strangers filled if it may read anything', async () => {
  const changes = () => write('made.txt')
  expect(await traced(subjectOf('workspace-write:x', program(true)), changes)).toEqual({
    found: ['app/node_modules'],
    changed: expect.arrayContaining(['made.txt', 'app/node_modules']),
  })
  await laterTick()
  expect(await traced(subjectOf('network:x', program(false)))).toEqual({
    found: [],
    changed: ['app/node_modules'],
  })
})

test('a program that only reads changes nothing, and is looked at only if nobody can say what it reads', async () => {
  expect(await traced(subjectOf('read-only:x', program(true)))).toEqual({
    found: ['app/node_modules'],
    changed: [],
  })
  expect(await traced(subjectOf('read-only:x', program(false)))).toBe(undefined)
})

test('a program of a profile that nobody knows counts as one that can write', async () => {
  const files = await traced(subjectOf('another:x', program(false)), () => write('made.txt'))
  expect(files?.changed).toContain('made.txt')
})

test('what is not known is told as not known', async () => {
  rmSync(root, { recursive: true })
  expect(await traced(subjectOf('workspace-write:x', program(true)))).toEqual({ found: null, changed: null })
})

test('a list that shows what lies in a folder of strangers says so; its name alone does not count', async () => {
  const place = { root: 'workspace', path: '.' } as const
  const files = await traced(subjectOf('files:x'), (given) => given.files.list(place, 3))
  expect(files).toEqual({ found: ['app/node_modules'], changed: [] })
})

test('a program over a view tells what it was kept from, and folders of strangers that it saw', async () => {
  write('notes/page.md')
  const viewed = (named: string[]) =>
    ({ ...program(true), view: { named, needs: [], below: false } }) as Resource
  const after = async (named: string[], canHide: (path: string) => boolean = () => true) => {
    const asked: string[] = []
    const hiding = {
      hide: (paths: readonly string[]) => void asked.push(...paths),
      hidden: () => [...asked, 'notes/page.md'].filter(canHide).map((path) => ({ path, there: true })),
    }
    const subject = { ...subjectOf('read-only:x', viewed(named)), hidden: ['notes/page.md'], own: [] }
    const { files } = await createFileTrace(root)(subject, { ...capabilities, hiding }, async () => result)
    return files
  }
  expect(await after([])).toEqual({ found: [], changed: [], hidden: ['notes/page.md'] })
  expect(await after(['app'])).toMatchObject({ found: ['app/node_modules'] })
  expect(await after([], () => false)).toEqual({ found: ['app/node_modules'], changed: [], hidden: [] })
})
