/** Builds what the app is made of in a real browser. Everything impure enters here. */
import type { LiveState } from '@countersign/contract'
import { connect, createClient } from '@countersign/contract/client'
import { createDecider } from '../data/decide.ts'
import { createSigner, type PairedKey, signText } from '../data/identity.ts'
import type { WitnessStore } from '../data/ledger-witness.ts'
import { createLiveStore } from '../data/live.ts'
import { createPasskeys } from '../data/passkey.ts'
import type { PreferenceStore } from '../environment/preferences.ts'
import type { Services } from '../environment/services.tsx'
import { locale } from '../language/current.ts'

export interface ServiceOptions {
  readonly window: Window & typeof globalThis
  readonly key: PairedKey
  readonly preferences: PreferenceStore
  readonly forget: () => Promise<void>
  readonly witness: WitnessStore
  readonly last?: LiveState
}

export function createServices({
  window,
  key,
  preferences,
  forget,
  witness,
  last,
}: ServiceOptions): Services {
  const now = () => new Date()
  const signer = createSigner(key, now)
  const url = window.location.origin
  const client = createClient({
    url,
    signer,
    fetch: (to, request) => window.fetch(to, request),
    language: locale(),
  })
  const passkeys = createPasskeys(window)
  const random = () => window.crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32
  return {
    client,
    live: createLiveStore({
      client,
      connect: ({ since, onFrame }) => connect({ url, signer, since, onFrame }),
      wait,
      random,
      later: (run, ms) => window.setTimeout(run, ms),
      ...(last === undefined ? {} : { last }),
    }),
    passkeys,
    decider: createDecider({
      client,
      signer,
      passkeys,
      credentials: async () =>
        (await client.devices()).passkeys
          .filter((passkey) => passkey.revokedAt === null && passkey.site === window.location.hostname)
          .map((passkey) => passkey.credential),
      wait: (ms) => wait(ms),
      chance: random,
    }),
    thisDevice: {
      gateway: key.gateway,
      gatewayKey: key.gatewayKey,
      device: key.device,
      name: key.name,
      forget,
      sign: (text) => signText(key, text),
    },
    witness: { ...witness, publicKey: key.publicKey },
    preferences,
    now,
  }
}

/** Resolves early when the signal says so. */
function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
