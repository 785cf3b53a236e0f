/** Owns the six words of a request, made here from the keys that it is about: the gateway's as it was at pairing. The list loads with the first. */
import {
  type PairingRequestView,
  type PasskeyRequestView,
  pairingText,
  passkeyRequestText,
} from '@countersign/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { sha256 } from '../../data/digest.ts'
import { useGateway } from '../../environment/queries.ts'
import { useServices } from '../../environment/services.tsx'

export function usePairingWords({
  key,
  nonce,
}: Pick<PairingRequestView, 'key' | 'nonce'>): UseQueryResult<readonly string[]> {
  const { thisDevice } = useServices()
  return useWords(pairingText(thisDevice.gatewayKey, key, nonce))
}

/** With the key of the device as it is listed here, so that no other device can have made the passkey. */
export function usePasskeyWords(
  { credential, key, site }: Pick<PasskeyRequestView, 'credential' | 'key' | 'site'>,
  deviceKey: string,
): UseQueryResult<readonly string[]> {
  const { gatewayKey } = useServices().thisDevice
  return useWords(passkeyRequestText({ gatewayKey, deviceKey, site, credential, key }))
}

function useWords(text: string): UseQueryResult<readonly string[]> {
  return useGateway(
    ['words', text],
    async () => {
      const { pairingWords } = await import('@countersign/contract/words')
      return pairingWords(await sha256(text))
    },
    { freshMs: Number.POSITIVE_INFINITY },
  )
}
