import { describe, expect, it } from 'vitest'
import { type AddressClass, addressClass, isSameAddress } from './address.ts'

const table: readonly (readonly [AddressClass, readonly string[]])[] = [
  [
    'public',
    [
      '1.1.1.1',
      '93.184.216.34',
      '2606:4700::1111',
      '::ffff:1.1.1.1',
      '2002:0101:0101::1',
      '64:ff9b::1.1.1.1',
    ],
  ],
  [
    'loopback',
    [
      '127.0.0.1',
      '127.255.255.254',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '2002:7f00:1::',
      '64:ff9b::7f00:1',
      '::127.0.0.1',
      '::ffff:0:127.0.0.1',
    ],
  ],
  [
    'private',
    [
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      'fc00::1',
      'fdff::1',
      '2002:0a00:1::',
      '64:ff9b::10.0.0.1',
    ],
  ],
  ['link-local', ['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254', '64:ff9b::169.254.169.254']],
  ['carrier-grade-nat', ['100.64.0.1', '100.100.100.200']],
  ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1']],
  ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
  [
    'reserved',
    [
      '240.0.0.1',
      '255.255.255.255',
      '192.0.2.1',
      '198.18.0.1',
      '203.0.113.9',
      '2001:db8::1',
      '2001::1',
      '3fff::1',
      'fec0::1',
      '64:ff9b:1::1',
      '168.63.129.16',
      '4000::1',
    ],
  ],
  [
    'invalid',
    ['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', 'fe80::1%eth0', '1.1.1.1%0', '010.0.0.1.2'],
  ],
]

describe('the class of an address', () => {
  for (const [expected, addresses] of table) {
    for (const address of addresses) {
      it(`takes ${JSON.stringify(address)} for ${expected}`, () => {
        expect(addressClass(address)).toBe(expected)
      })
    }
  }

  it('compares values and not spellings', () => {
    expect(isSameAddress('::ffff:127.0.0.1', '127.0.0.1')).toBe(true)
    expect(isSameAddress('2606:4700:0::1', '2606:4700::1')).toBe(true)
    expect(isSameAddress('127.0.0.1', '127.0.0.2')).toBe(false)
    expect(isSameAddress('x', 'x')).toBe(false)
  })
})
