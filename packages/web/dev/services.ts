/** The services of the app with a scripted gateway in the place of the real one. */
import type { ServerFrame } from '@countersign/contract'
import {
  type Connection,
  connect,
  createClient,
  type Signer,
  type Transport,
} from '@countersign/contract/client'
import { createDecider } from '../src/data/decide.ts'
import { sha256Hex } from '../src/data/digest.ts'
import { createLiveStore } from '../src/data/live.ts'
import { createPreferences } from '../src/environment/preferences.ts'
import type { Services } from '../src/environment/services.tsx'
import { scriptedGateway } from './gateway.ts'
import { id } from './ids.ts'
import type { Script } from './script.ts'

export function scriptedServices(script: Script): Services {
  const gateway = scriptedGateway(script)
  answerUnsigned(gateway.fetch)
  const signer: Signer = {
    device: id('dev', 1),
    gateway: id('gw', 1),
    sign: async () => btoa('scripted'),
    proves: async () => true,
    hash: sha256Hex,
    nonce: () => 'scripted',
    now: () => new Date(),
  }
  const client = createClient({ url: window.location.origin, signer, fetch: gateway.fetch })
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const passkeys: Services['passkeys'] = {
    problem: () => null,
    make: async () => ({ kind: 'cancelled' }),
    prove: async () => ({ kind: 'cancelled' }),
  }
  return {
    client,
    live: createLiveStore({
      client,
      connect: (options) => open(script, gateway.subscribe, options),
      wait,
      random: Math.random,
      later: (run, ms) => window.setTimeout(run, ms),
      ...(script.link === 'live' ? {} : { last: gateway.state() }),
    }),
    passkeys,
    decider: createDecider({
      client,
      signer,
      passkeys,
      credentials: async () => [],
      wait,
      chance: Math.random,
    }),
    thisDevice: {
      gateway: signer.gateway,
      gatewayKey: btoa('scripted'),
      device: signer.device,
      name: 'Chrome on Mac',
      forget: async () => undefined,
      sign: signer.sign,
    },
    preferences: createPreferences(window.localStorage),
    now: () => new Date(),
  }
}

/** What is asked without a device, such as whom one would pair with, is answered from the same script. */
function answerUnsigned(send: Transport): void {
  const real = window.fetch.bind(window)
  window.fetch = async (to, request) => {
    if (!(to instanceof URL) || !to.pathname.startsWith('/v1/')) return real(to, request)
    const reply = await send(to, request as Parameters<Transport>[1])
    return new Response(await reply.text(), { status: reply.status })
  }
}

type ConnectOptions = Pick<Parameters<typeof connect>[0], 'since' | 'onFrame'>

async function open(
  script: Script,
  subscribe: (take: (frame: ServerFrame) => void) => () => void,
  { onFrame }: ConnectOptions,
): Promise<Connection> {
  if (script.link === 'offline') throw new Error('scripted to be away')
  const end = subscribe(onFrame)
  return {
    send: () => undefined,
    followLedger: () => undefined,
    close: end,
    ended: new Promise(() => undefined),
  }
}
