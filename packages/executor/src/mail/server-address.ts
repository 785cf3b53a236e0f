/** Finds the one checked address of a mail server. Refuses a server without TLS that is not on this computer. */
import { isIP } from 'node:net'
import type { MailServer } from '@countersign/contract'
import type { Failure } from '@countersign/tools'
import { addressClass } from '../egress/address.ts'
import { type AddressPolicy, type Lookup, resolveChecked, systemLookup } from '../egress/resolve-checked.ts'
import { describeTarget } from '../egress/target.ts'

export interface ServerAddress {
  readonly kind: 'address'
  readonly address: string
  /** The name that its certificate must have. */
  readonly name: string
}

export interface AddressParts {
  readonly places: AddressPolicy
  readonly lookup?: Lookup | undefined
}

export async function serverAddress(
  { host, port, security }: MailServer,
  { places, lookup = systemLookup }: AddressParts,
  signal: AbortSignal,
): Promise<ServerAddress | Failure> {
  const written = isIP(host) === 6 ? `[${host}]` : host
  const target = describeTarget(`https://${written}:${port}/`)
  if (target.kind === 'refused') return failed(`${host} is refused: ${target.reason}.`)
  // The permit names this server and its port; what is left to decide is which address it may have.
  const policy = { ...places, ports: [...places.ports, port] }
  const checked = await resolveChecked(target, policy, lookup, signal)
  if (checked.kind === 'refused')
    return failed(
      `${host} is refused (${checked.detail}). If it is yours, name ${host}:${port} under localTargets in the configuration.`,
    )
  if (checked.kind === 'failed') return failed(`${host} was not found: ${checked.message}.`)
  const { addresses } = checked
  if (security === 'none' && addresses.some((address) => addressClass(address) !== 'loopback'))
    return failed(`${host} is not this computer, so nothing is sent to it without TLS.`)
  // Half of the world's resolvers give an address of the sixth version that leads nowhere.
  const address = addresses.find((each) => isIP(each) === 4) ?? addresses[0]
  return address === undefined ? failed(`${host} was not found.`) : { kind: 'address', address, name: host }
}

function failed(reason: string): Failure {
  return { kind: 'failed', reason }
}
