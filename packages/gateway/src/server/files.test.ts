import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workspacePathOf } from './files.ts'

let folder: string
let workspace: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'places-'))
  mkdirSync(join(folder, 'real'))
  workspace = join(folder, 'link')
  symlinkSync(join(folder, 'real'), workspace)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a path is kept as the executor names it', () => {
  expect(workspacePathOf('.', workspace)).toBe('.')
  expect(workspacePathOf('./a//b/', workspace)).toBe('a/b')
  expect(workspacePathOf(workspace, workspace)).toBe('.')
  expect(workspacePathOf(join(workspace, 'a'), workspace)).toBe('a')
  expect(workspacePathOf(join(folder, 'real/a/'), workspace)).toBe('a')
  expect(workspacePathOf('/srv/../home/me/', workspace)).toBe('/home/me')
  expect(workspacePathOf('/', workspace)).toBe('/')
})

test('a path that leads out of the workspace is refused', () => {
  expect(() => workspacePathOf('../a', workspace)).toThrow('outside of the workspace')
  expect(() => workspacePathOf('a/../..', workspace)).toThrow('outside of the workspace')
})
