/** Owns the six words of a request, made here from both keys and never taken from anybody. The list loads with the first. */
import { type PairingRequestView, pairingText } from '@countersign/contract'
import { pairingCalls } from '@countersign/contract/client'
import type { UseQueryResult } from '@tanstack/react-query'
import { sha256 } from '../../data/digest.ts'
import { useGateway } from '../../data/queries.ts'

export function usePairingWords({
  key,
  nonce,
}: Pick<PairingRequestView, 'key' | 'nonce'>): UseQueryResult<readonly string[]> {
  return useGateway(
    ['words', key, nonce],
    async () => {
      const pairing = pairingCalls(window.location.origin, (to, request) => window.fetch(to, request))
      const [info, { pairingWords }] = await Promise.all([
        pairing.info(),
        import('@countersign/contract/words'),
      ])
      return pairingWords(await sha256(pairingText(info.key, key, nonce)))
    },
    { freshMs: Number.POSITIVE_INFINITY },
  )
}
