/** Owns a signed request for which the typed client has no word, as programs of the operator make them. */
import { addressHeader, addressOf, requestText } from '@countersign/contract'
import type { Signer } from '@countersign/contract/client'

export async function sendSigned(
  { url, signer }: { readonly url: string; readonly signer: Signer },
  method: string,
  path: string,
  body: unknown,
): Promise<Response> {
  const text = JSON.stringify(body)
  const { device, gateway } = signer
  const time = signer.now().toISOString()
  const nonce = signer.nonce()
  const bodyHash = await signer.hash(text)
  const address = addressOf(url) ?? ''
  const asked = { method, path, bodyHash, time, nonce, gateway, device, address }
  const signature = await signer.sign(requestText(asked))
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      'content-type': 'application/json',
      [addressHeader]: address,
      'countersign-device': device,
      'countersign-time': time,
      'countersign-nonce': nonce,
      'countersign-signature': signature,
    },
    body: text,
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}
