import type { FileResource, Resource } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { madeFile, madeProgram, madeRecord } from '../testing/made-resources.ts'
import { mayWriteAnywhere, scopesOf, writtenBy } from './file-labels.ts'

const file = (op: FileResource['op'], path = 'a') => madeFile(path, op)
const exec = (uninspectable: boolean) => madeProgram({ uninspectable })
const touched = (...resources: Resource[]) => ({ resources, sandbox: 'workspace-write:x' })

describe('what a call changes', () => {
  test('are the files of the workspace that it writes or deletes', () => {
    const all = [file('write', 'a'), file('delete', 'b'), file('read', 'c'), file('list', 'd')]
    expect(writtenBy(touched(...all))).toEqual(['a', 'b'])
  })

  test('are no files outside of it, no records and no program', () => {
    expect(writtenBy(touched(file('write', '/a'), madeRecord('write'), exec(true)))).toEqual([])
  })

  test('may be anything where a program runs, also beside files, unless its sandbox only reads', () => {
    expect(mayWriteAnywhere(touched(exec(false)))).toBe(true)
    expect(mayWriteAnywhere(touched(file('read'), exec(false)))).toBe(true)
    expect(mayWriteAnywhere(touched(file('write')))).toBe(false)
    expect(mayWriteAnywhere(touched())).toBe(false)
    const sandboxed = (sandbox: string) => mayWriteAnywhere({ resources: [exec(false)], sandbox })
    expect(sandboxed('read-only:x')).toBe(false)
    expect(sandboxed('x:read-only:')).toBe(true)
  })
})

describe('what a call reads', () => {
  test('are the files that it reads or lists, and nothing that it only changes', () => {
    const all = [file('read', 'a'), file('list', 'b'), file('delete', 'c'), madeRecord('read')]
    expect(scopesOf(touched(...all), undefined)).toEqual({ paths: ['a', 'b'], found: [] })
    expect(scopesOf(touched(file('write', 'd'), file('write', 'e')), undefined).paths).toEqual([])
  })

  test('is also what it deletes where it writes elsewhere: it was moved', () => {
    const moved = touched(file('delete', 'from'), file('write', 'to'))
    expect(scopesOf(moved, undefined).paths).toEqual(['from'])
    expect(scopesOf(touched(file('delete', 'from'), madeRecord('write')), undefined).paths).toEqual([])
  })

  test('is the whole workspace where a program runs', () => {
    expect(scopesOf(touched(exec(false)), undefined)).toEqual({ paths: ['.'], found: [] })
    expect(scopesOf(touched(file('read', 'a'), exec(false)), undefined).paths).toEqual(['.'])
  })

  test('is not known of strangers’ folders where nobody can look into the program', () => {
    expect(scopesOf(touched(exec(true)), undefined).found).toBe(null)
    expect(scopesOf(touched(file('read'), exec(true)), undefined).found).toBe(null)
    expect(scopesOf(touched(file('read')), undefined).found).toEqual([])
  })

  test('is what the executor saw, where it looked', () => {
    expect(scopesOf(touched(exec(true)), { found: ['vendor'], changed: [] }).found).toEqual(['vendor'])
    expect(scopesOf(touched(file('read')), { found: ['vendor'], changed: [] }).found).toEqual(['vendor'])
    expect(scopesOf(touched(exec(false)), { found: null, changed: [] }).found).toBe(null)
  })
})
