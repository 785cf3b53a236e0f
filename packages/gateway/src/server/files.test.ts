import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf } from './files.ts'

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
  expect(placeOf('.', workspace)).toBe('.')
  expect(placeOf('./a//b/', workspace)).toBe('a/b')
  expect(placeOf(workspace, workspace)).toBe('.')
  expect(placeOf(join(workspace, 'a'), workspace)).toBe('a')
  expect(placeOf(join(folder, 'real/a/'), workspace)).toBe('a')
  expect(placeOf('/srv/../home/me/', workspace)).toBe('/home/me')
  expect(placeOf('/', workspace)).toBe('/')
})

test('a path that leads out of the workspace is refused', () => {
  expect(() => placeOf('../a', workspace)).toThrow('leads out of the workspace')
  expect(() => placeOf('a/../..', workspace)).toThrow('leads out of the workspace')
})
