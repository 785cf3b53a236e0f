/** Owns the six words of a request, made here from both keys: its own, and the gateway's as it was at pairing. The list loads with the first. */
import { type PairingRequestView, pairingText } from '@countersign/contract'
import { pairingCalls } from '@countersign/contract/client'
import type { UseQueryResult } from '@tanstack/react-query'
import { useServices } from '../../app/services.tsx'
import { sha256 } from '../../data/digest.ts'
import { useGateway } from '../../data/queries.ts'

export function usePairingWords({
  key,
  nonce,
}: Pick<PairingRequestView, 'key' | 'nonce'>): UseQueryResult<readonly string[]> {
  const { thisDevice } = useServices()
  return useGateway(
    ['words', key, nonce],
    async () => {
      const [gatewayKey, { pairingWords }] = await Promise.all([
        thisDevice.gatewayKey ?? askedKey(),
        import('@countersign/contract/words'),
      ])
      return pairingWords(await sha256(pairingText(gatewayKey, key, nonce)))
    },
    { freshMs: Number.POSITIVE_INFINITY },
  )
}

/** Where pairing is older than the keeping of it. */
async function askedKey(): Promise<string> {
  const pairing = pairingCalls(window.location.origin, (to, request) => window.fetch(to, request))
  return (await pairing.info()).key
}
