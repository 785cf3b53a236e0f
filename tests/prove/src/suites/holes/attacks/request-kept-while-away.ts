/**
 * While the gateway is away another user takes its port. What an open page or command sends there is signed for this
 * address, so whoever kept it hands it to the gateway when that is back, and reads the answer.
 */
import { createClient } from '@countersign/contract/client'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'request-kept-while-away',
  promise: 'What was signed before the gateway had its port is not taken for a request.',
  mutant: 'requests-outlive-gateways',
  async run(stage) {
    // Signed for the address of the gateway at a moment when it was not there, as whoever had its port then keeps it.
    const away = new Date()
    const { installation, gateway } = await stage.ownScene()
    const kept = createClient({ url: gateway.url, signer: { ...installation.signer, now: () => away } })
    const answered = await kept.sessions().then(
      () => 'answered',
      (error: Error & { readonly code?: string }) => error.code ?? error.message,
    )
    const honest = await gateway.client.sessions()
    return { open: answered === 'answered', control: Array.isArray(honest), saw: answered }
  },
}
