import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gatewayKeyPath, generateKey, type Lease, readKey, signLease } from '@countersign/contract/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { liveLeases, staleLeases } from './leases.ts'
import { type TestHome, testHome } from './testing/home.ts'

let home: TestHome
let gateway: string
beforeEach(() => {
  home = testHome()
  gateway = home.establish().trust.gateway.id
  mkdirSync(home.paths.lease, { recursive: true, mode: 0o700 })
})
afterEach(() => home.remove())

function write(name: string, lease: Partial<Lease>, key = readKey(gatewayKeyPath(home.paths))): void {
  const whole = { pid: process.pid, url, startedAt: new Date().toISOString(), version: '1', ...lease }
  writeText(name, JSON.stringify(signLease(whole, gateway, key.privateKey)))
}

function writeText(name: string, text: string): void {
  writeFileSync(join(home.paths.lease, name), text)
}

const url = 'http://127.0.0.1:734'
const later = () => new Date(Date.now() + 1_000).toISOString()
const nobody = 2 ** 22 + 1

it('finds the lease of a process that lives, the newest first', () => {
  write('1.json', {})
  write('2.json', { url: `${url}0`, startedAt: later() })
  expect(liveLeases(home.paths).map((lease) => lease.url)).toEqual([`${url}0`, url])
})

it('ignores a process that is gone, a damaged file and a number that was given away again', () => {
  write('3.json', { pid: nobody })
  writeText('4.json', '{"pid":')
  write('5.json', { url: 'nowhere' })
  if (process.platform === 'linux') write('6.json', { startedAt: '2020-01-01T00:00:00.000Z' })
  expect(liveLeases(home.paths)).toEqual([])
  expect(staleLeases(home.paths)[0]).toBe(join(home.paths.lease, '3.json'))
})

it.each(['', 'null', '{"gateway":null}', '{'])('believes nobody by a trust file that reads %j', (text) => {
  write('1.json', {})
  writeFileSync(home.paths.trust, text)
  expect(liveLeases(home.paths)).toEqual([])
})

it('ignores what our gateway did not sign, or signed otherwise', () => {
  write('7.json', { startedAt: later() }, generateKey())
  writeText('8.json', JSON.stringify({ pid: process.pid, url, startedAt: later(), version: '1' }))
  const own = signLease(
    { pid: process.pid, url, startedAt: later(), version: '1' },
    gateway,
    readKey(gatewayKeyPath(home.paths)).privateKey,
  )
  writeText('9.json', JSON.stringify({ ...own, url: `${url}1` }))
  expect(liveLeases(home.paths)).toEqual([])
  writeText('9.json', JSON.stringify(own))
  expect(liveLeases(home.paths)).toHaveLength(1)
})

it.skipIf(process.platform === 'win32')('refuses a folder that others can write to', () => {
  write('1.json', {})
  chmodSync(home.paths.lease, 0o777)
  expect(() => liveLeases(home.paths)).toThrow(expect.objectContaining({ code: 'folder_refused' }))
})

it('finds nothing where there is no folder', () => {
  expect(liveLeases({ ...home.paths, lease: join(home.folder, 'nowhere') })).toEqual([])
})
