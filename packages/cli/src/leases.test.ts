import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { liveLeases } from './leases.ts'
import { type TestHome, testHome } from './testing/home.ts'

let home: TestHome
beforeEach(() => {
  home = testHome()
  mkdirSync(home.paths.lease, { recursive: true })
})
afterEach(() => home.remove())

function write(name: string, value: unknown): void {
  writeFileSync(join(home.paths.lease, name), typeof value === 'string' ? value : JSON.stringify(value))
}

const url = 'http://127.0.0.1:734'

it('finds the lease of a process that lives, the newest first', () => {
  const later = new Date(Date.now() + 1_000).toISOString()
  write('1.json', { pid: process.pid, url, startedAt: new Date().toISOString(), version: '1' })
  write('2.json', { pid: process.pid, url: `${url}0`, startedAt: later, version: '1' })
  expect(liveLeases(home.paths.lease).map((lease) => lease.url)).toEqual([`${url}0`, url])
})

it('ignores a process that is gone, a damaged file and a number that was given away again', () => {
  write('3.json', { pid: 2 ** 22 + 1, url, startedAt: new Date().toISOString(), version: '1' })
  write('4.json', '{"pid":')
  write('5.json', { pid: process.pid, url: 'nowhere', startedAt: new Date().toISOString(), version: '1' })
  if (process.platform === 'linux')
    write('6.json', { pid: process.pid, url, startedAt: '2020-01-01T00:00:00.000Z', version: '1' })
  expect(liveLeases(home.paths.lease)).toEqual([])
})

it('finds nothing where there is no folder', () => {
  expect(liveLeases(join(home.folder, 'nowhere'))).toEqual([])
})
