/** Owns the six words of a request, made here from both keys: its own, and the gateway's as it was at pairing. The list loads with the first. */
import { type PairingRequestView, pairingText } from '@countersign/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { sha256 } from '../../data/digest.ts'
import { useGateway } from '../../environment/queries.ts'
import { useServices } from '../../environment/services.tsx'

export function usePairingWords({
  key,
  nonce,
}: Pick<PairingRequestView, 'key' | 'nonce'>): UseQueryResult<readonly string[]> {
  const { thisDevice } = useServices()
  return useGateway(
    ['words', key, nonce],
    async () => {
      const { pairingWords } = await import('@countersign/contract/words')
      return pairingWords(await sha256(pairingText(thisDevice.gatewayKey, key, nonce)))
    },
    { freshMs: Number.POSITIVE_INFINITY },
  )
}
