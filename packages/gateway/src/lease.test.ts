import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasOtherLease, writeLease } from './lease.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-lease-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lease = (pid: number) => ({
  pid,
  url: 'http://127.0.0.1:1',
  startedAt: '',
  version: '0',
  signature: '',
})
/** No process has it: above every limit that the kernel allows. */
const nobody = 4_194_305

test('clears away the lease of a process that is gone and keeps that of one that is there', () => {
  writeFileSync(join(folder, `${nobody}.json`), '{}')
  writeFileSync(join(folder, `${process.ppid}.json`), '{}')
  const release = writeLease(folder, lease(process.pid))
  expect(new Set(readdirSync(folder))).toEqual(new Set([`${process.ppid}.json`, `${process.pid}.json`]))
  expect(hasOtherLease(folder, process.pid)).toBe(true)
  release()
  expect(readdirSync(folder)).toEqual([`${process.ppid}.json`])
})

test('is alone when no other process is there', () => {
  writeLease(folder, lease(process.pid))
  expect(hasOtherLease(folder, process.pid)).toBe(false)
  expect(hasOtherLease(join(folder, 'absent'), process.pid)).toBe(false)
})
