/** Owns how devices are named and told of on the command line. */
import type { DeviceReach, DeviceView, PasskeyView } from '@countersign/contract'
import type { Context } from '../context.ts'
import { line } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'

const reaches: readonly { readonly word: string; readonly reach: DeviceReach; readonly text: string }[] = [
  { word: 'look', reach: 0, text: 'look, not decide' },
  { word: 'decide', reach: 2, text: 'approve what stays in your hands' },
  { word: 'seal', reach: 3, text: 'approve everything except critical actions' },
]

export const reachWords: string = reaches.map(({ word }) => word).join(', ')

export function reachIn(word: string | boolean | undefined): DeviceReach | undefined {
  return reaches.find((each) => each.word === word)?.reach
}

export function reachText(reach: DeviceReach): string {
  return reaches.find((each) => each.reach === reach)?.text ?? ''
}

export function lastSeen(device: DeviceView, context: Context): string {
  if (device.revokedAt !== null) return `revoked ${ago(device.revokedAt, context.moment())}`
  if (device.connections > 0) return 'connected'
  return device.seenAt === null ? '' : ago(device.seenAt, context.moment())
}

export function deviceName({ name, thisOne }: DeviceView): string {
  return thisOne ? `${line(name)} (this one)` : line(name)
}

export type LookupResult<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly names: readonly string[] }

/** By its id or the beginning of it, or by its name. Live ones come before revoked ones of the same name. */
export function findDevice(ref: string, devices: readonly DeviceView[]): LookupResult<DeviceView> {
  return pick(ref, devices, ({ id }) => id)
}

export function findPasskey(ref: string, passkeys: readonly PasskeyView[]): LookupResult<PasskeyView> {
  return pick(ref, passkeys, ({ credential }) => credential)
}

const shortestId = 8

function pick<T extends { readonly name: string; readonly revokedAt: string | null }>(
  ref: string,
  all: readonly T[],
  idOf: (each: T) => string,
): LookupResult<T> {
  const exact = all.find((each) => idOf(each) === ref)
  if (exact) return { kind: 'found', value: exact }
  const named = all.filter(({ name }) => name.toLowerCase() === ref.toLowerCase())
  const begun = ref.length >= shortestId ? all.filter((each) => idOf(each).startsWith(ref)) : []
  const matching = named.length > 0 ? named : begun
  const live = matching.filter(({ revokedAt }) => revokedAt === null)
  const [first, ...others] = live.length > 0 ? live : matching
  if (first === undefined) return { kind: 'none' }
  if (others.length === 0) return { kind: 'found', value: first }
  return { kind: 'several', names: [first, ...others].map(idOf) }
}
