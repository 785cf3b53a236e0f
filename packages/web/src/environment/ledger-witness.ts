/** Owns how screens ask what this browser saw of the ledger. It is looked at again while a page is open. */
import type { WitnessMemory } from '@countersign/contract/client'
import { lookAtLedger } from '../data/ledger-witness.ts'
import { useGateway, useStatus } from './queries.ts'
import { useLive, useServices } from './services.tsx'

const readEveryMs = 60_000

/** Undefined until it is known, and in a page that keeps nothing. */
export function useWitnessMemory(): WitnessMemory | undefined {
  const { client, thisDevice, witness, now } = useServices()
  const operator = useStatus().data?.operator
  const isLive = useLive(({ link }) => link.kind === 'live')
  const memory = useGateway(
    ['witnesses', 'here', isLive],
    () =>
      lookAtLedger({
        client,
        store: witness ?? nowhere,
        device: { ...thisDevice, publicKey: witness?.publicKey ?? '' },
        operator: operator ?? '',
        now,
        alone: (work) => navigator.locks.request('countersign-witness', work),
      }),
    { enabled: witness !== undefined && operator !== undefined, everyMs: readEveryMs },
  )
  return memory.data
}

const nowhere = { get: () => Promise.resolve(undefined), put: () => Promise.resolve() }
