/** Another program holds the address of the gateway, and waits for what a client sends there. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@countersign/contract/client'
import type { Attack } from '../attack.ts'

const words = 'words for the gateway alone'

export const attack: Attack = {
  name: 'words-for-a-stranger',
  promise: 'A client sends nothing that the operator wrote to a program that did not prove itself first.',
  mutant: 'words-before-the-proof',
  async run(stage) {
    const { installation, gateway } = await stage.scene()
    let heard = ''
    const stranger = createServer((request, response) => {
      request.on('data', (piece: Buffer) => (heard += piece.toString()))
      request.on('end', () => response.end('{}'))
    })
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    stage.afterwards(() => stranger.close())
    const { port } = stranger.address() as AddressInfo
    const message = { key: crypto.randomUUID(), session: null, text: words, mode: 'auto' as const }
    const misled = createClient({ url: `http://127.0.0.1:${port}`, signer: installation.signer })
    const refusal = await misled.send(message).then(
      () => 'it was taken',
      (error: unknown) => (error as { code?: string }).code ?? 'unknown',
    )
    const sent = await gateway.client.send(message)
    return {
      open: heard.includes(words),
      control: sent.run !== null && refusal === 'gateway_unproven',
      saw: `${refusal}; the stranger heard ${heard.length} bytes`,
    }
  },
}
