/** Owns what the app is made of: everything outside React arrives here, so that a page can run on scripted parts. */
import type { Client } from '@countersign/contract/client'
import { createContext, useCallback, useContext, useRef, useSyncExternalStore } from 'react'
import type { Decider } from '../data/decide.ts'
import type { WitnessStore } from '../data/ledger-witness.ts'
import type { Live, LiveStore } from '../data/live.ts'
import type { Passkeys } from '../data/passkey.ts'
import type { PreferenceStore, Preferences } from './preferences.ts'

/** This browser as the gateway knows it. */
export interface ThisDevice {
  readonly gateway: string
  /** The gateway's public key that this browser was paired with. */
  readonly gatewayKey: string
  readonly device: string
  readonly name: string
  /** Forgets the key of this browser. It must be paired again after that. */
  readonly forget: () => Promise<void>
  /** Ed25519 over the text, base64. */
  readonly sign: (text: string) => Promise<string>
}

export interface Services {
  readonly client: Client
  readonly live: LiveStore
  readonly decider: Decider
  readonly passkeys: Passkeys
  readonly thisDevice: ThisDevice
  /** What this browser keeps of the ledger; left out where nothing is kept. */
  readonly witness?: WitnessStore & { readonly publicKey: string }
  readonly preferences: PreferenceStore
  readonly now: () => Date
}

export const ServicesContext = createContext<Services | null>(null)

export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (services === null) throw new Error('The app is used without its services.')
  return services
}

export const useClient = (): Client => useServices().client

/** A part of what is live. Renders again only when `isSame` says that the part is another. */
export function useLive<T>(select: (live: Live) => T, isSame: (a: T, b: T) => boolean = Object.is): T {
  const { live } = useServices()
  const kept = useRef<{ readonly of: Live; readonly select: unknown; readonly value: T } | null>(null)
  const get = useCallback(() => {
    const now = live.get()
    const before = kept.current
    if (before !== null && before.of === now && before.select === select) return before.value
    const next = select(now)
    const value = before !== null && isSame(before.value, next) ? before.value : next
    kept.current = { of: now, select, value }
    return value
  }, [live, select, isSame])
  return useSyncExternalStore(live.subscribe, get)
}

export function usePreferences(): Preferences {
  const { preferences } = useServices()
  return useSyncExternalStore(preferences.subscribe, preferences.get)
}
