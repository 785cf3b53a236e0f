/** Tells whether a provider is reached on the operator's own machine or network. Refuses to guess from a name that anybody could register. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** False for whatever is not plainly near: doubt means somebody else's machine, and somebody else's bill. */
export function isNearby(url: string): boolean {
  const host = URL.parse(url)
    ?.hostname.replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  if (host === undefined || host === '') return false
  if (isIPv4(host)) return near.check(host, 'ipv4')
  if (isIPv6(host)) return near.check(host, 'ipv6')
  return nearNames.test(host)
}

/** Names that the public name service does not give out. */
const nearNames = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/

const near = nearAddresses()

/** Addresses that it does not route. */
function nearAddresses(): BlockList {
  const list = new BlockList()
  list.addSubnet('127.0.0.0', 8, 'ipv4')
  list.addSubnet('10.0.0.0', 8, 'ipv4')
  list.addSubnet('172.16.0.0', 12, 'ipv4')
  list.addSubnet('192.168.0.0', 16, 'ipv4')
  // Shared address space, which private overlay networks use.
  list.addSubnet('100.64.0.0', 10, 'ipv4')
  list.addAddress('::1', 'ipv6')
  list.addSubnet('fc00::', 7, 'ipv6')
  return list
}
