import { describe, expect, test } from 'vitest'
import { addressOf, localAddress } from './address.ts'

describe('the address for another device', () => {
  test('a name with https is taken, with or without its beginning', () => {
    expect(addressOf('https://home.example.com/devices')).toEqual({
      kind: 'address',
      url: 'https://home.example.com/',
    })
    expect(addressOf('home.tail1234.ts.net')).toEqual({
      kind: 'address',
      url: 'https://home.tail1234.ts.net/',
    })
  })

  test('plain http, bare addresses and local names are refused', () => {
    for (const typed of [
      'http://home.example.com',
      '192.168.1.20',
      'https://[::1]:7347',
      'localhost',
      '',
      '://',
    ])
      expect(addressOf(typed).kind).toBe('problem')
  })

  test('on this computer it is localhost, whatever the gateway calls itself', () => {
    expect(localAddress('http://127.0.0.1:7347')).toBe('http://localhost:7347/')
  })
})
