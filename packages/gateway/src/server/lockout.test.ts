import { expect, test } from 'vitest'
import { createLockout, type LockedOut, lockoutLimits } from './lockout.ts'

const origin = 'https://home.example.com'
let now = 0
let told: LockedOut[]

function open() {
  now = Date.UTC(2026, 0, 1)
  told = []
  return createLockout({ clock: () => new Date(now), tell: (locked) => void told.push(locked) })
}

const at = (sender: string) => ({ origin, sender })

function fail(lockout: ReturnType<typeof open>, sender: string, times: number = lockoutLimits.failures) {
  for (let count = 0; count < times; count += 1) lockout.failed(at(sender))
}

test('keeps out a sender that failed too often, for a while, and says so once', () => {
  const lockout = open()
  fail(lockout, '203.0.113.7', lockoutLimits.failures - 1)
  lockout.admit(at('203.0.113.7'))
  lockout.failed(at('203.0.113.7'))
  expect(() => lockout.admit(at('203.0.113.7'))).toThrow('too many failed attempts')
  lockout.admit(at('203.0.113.8'))
  fail(lockout, '203.0.113.7')
  expect(told).toHaveLength(1)
  now += lockoutLimits.lastsMs
  lockout.admit(at('203.0.113.7'))
})

test('forgets failures that are long ago', () => {
  const lockout = open()
  fail(lockout, '203.0.113.7', lockoutLimits.failures - 1)
  now += lockoutLimits.withinMs
  lockout.failed(at('203.0.113.7'))
  lockout.admit(at('203.0.113.7'))
})

test('never keeps this computer out', () => {
  const lockout = open()
  const here = { origin: null, sender: 'this computer' }
  for (let count = 0; count < 100; count += 1) lockout.failed(here)
  lockout.admit(here)
  expect(told).toEqual([])
})

test('tells of a few in an hour, whoever else is kept out', () => {
  const lockout = open()
  for (let count = 0; count < 50; count += 1) fail(lockout, `203.0.113.${count}`)
  expect(told).toHaveLength(lockoutLimits.toldPerHour)
  expect(() => lockout.admit(at('203.0.113.49'))).toThrow('too many failed attempts')
})
