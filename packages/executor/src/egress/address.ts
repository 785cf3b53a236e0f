/** Says what kind of place an IP address is, after taking an IPv4 address out of every IPv6 form that carries one. */

import ipaddr from 'ipaddr.js'

export type AddressClass =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'carrier-grade-nat'
  | 'multicast'
  | 'unspecified'
  | 'reserved'
  | 'invalid'

export function addressClass(text: string): AddressClass {
  const address = parseAddress(text)
  return address === null ? 'invalid' : classOf(address)
}

/** Compares binary values, so that two spellings of one address are equal. */
export function isSameAddress(left: string, right: string): boolean {
  const [a, b] = [parseAddress(left), parseAddress(right)]
  return a !== null && b !== null && plain(a).toNormalizedString() === plain(b).toNormalizedString()
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

function parseAddress(text: string): Address | null {
  // A zone names an interface of this host; no public address needs one.
  if (text.includes('%')) return null
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : null
}

function plain(address: Address): Address {
  return address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()
    ? (address as ipaddr.IPv6).toIPv4Address()
    : address
}

function classOf(address: Address): AddressClass {
  if (address.kind() === 'ipv4') return classOfIPv4(address as ipaddr.IPv4)
  const bytes = address.toByteArray()
  const inner = embedded(bytes)
  if (inner !== null) return classOfIPv4(new ipaddr.IPv4(inner))
  switch ((address as ipaddr.IPv6).range()) {
    case 'loopback':
      return 'loopback'
    case 'unspecified':
      return 'unspecified'
    case 'linkLocal':
      return 'link-local'
    case 'uniqueLocal':
      return 'private'
    case 'multicast':
      return 'multicast'
    case 'unicast':
      return isGlobalUnicast(bytes) ? 'public' : 'reserved'
    default:
      return 'reserved'
  }
}

function classOfIPv4(address: ipaddr.IPv4): AddressClass {
  switch (address.range()) {
    case 'unicast':
      return address.toString() === azureHost ? 'reserved' : 'public'
    case 'loopback':
      return 'loopback'
    case 'private':
      return 'private'
    case 'linkLocal':
      return 'link-local'
    case 'carrierGradeNat':
      return 'carrier-grade-nat'
    case 'multicast':
      return 'multicast'
    case 'unspecified':
      return 'unspecified'
    default:
      return 'reserved'
  }
}

/** Reads as public, yet inside Azure it is the host's own control service. */
const azureHost = '168.63.129.16'

/** The IPv4 address inside a mapped, translated, compatible, NAT64 or 6to4 address. */
function embedded(bytes: readonly number[]): number[] | null {
  const begins = (...prefix: number[]): boolean => prefix.every((byte, index) => bytes[index] === byte)
  const zeros = (from: number, to: number): boolean => bytes.slice(from, to).every((byte) => byte === 0)
  if (begins(0x20, 0x02)) return bytes.slice(2, 6)
  if (begins(0x00, 0x64, 0xff, 0x9b) && zeros(4, 12)) return bytes.slice(12)
  if (!zeros(0, 8)) return null
  const middle = bytes.slice(8, 12).join()
  const isMapped = middle === '0,0,255,255'
  const isTranslated = middle === '255,255,0,0'
  const isCompatible = middle === '0,0,0,0' && !zeros(12, 15)
  return isMapped || isTranslated || isCompatible ? bytes.slice(12) : null
}

/** 2000::/3 without 3fff::/20, which is kept for documentation. */
function isGlobalUnicast(bytes: readonly number[]): boolean {
  const [first = 0, second = 0, third = 0] = bytes
  return (first & 0xe0) === 0x20 && !(first === 0x3f && second === 0xff && (third & 0xf0) === 0)
}
