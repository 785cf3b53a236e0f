/**
 * Whoever took the gateway's place greets a device at the socket with the challenge of the real gateway. With the proof
 * of the device that comes back they could open a socket of their own, read everything, and write as the operator.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '@countersign/contract/client'
import { WebSocket, WebSocketServer } from 'ws'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'socket-of-a-stranger',
  promise: 'A device proves nothing to whoever has not proven to be the gateway at this address.',
  mutant: 'challenges-unproven',
  async run(stage) {
    const { installation, gateway } = await stage.scene()
    const { signer } = installation
    const http = createServer()
    const sockets = new WebSocketServer({ server: http })
    stage.afterwards(() => {
      for (const socket of sockets.clients) socket.terminate()
      http.close()
    })
    const proofs: string[] = []
    sockets.on('connection', (socket, request) => {
      const real = new WebSocket(new URL(request.url ?? '', gateway.url.replace('http', 'ws')))
      stage.afterwards(() => real.terminate())
      real.on('message', (data: Buffer) => socket.send(data.toString()))
      socket.on('message', (data: Buffer) => {
        proofs.push(data.toString())
        real.send(data.toString())
      })
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const open = (at: string) => connect({ url: at, signer, since: null, onFrame: () => undefined })
    const problem = await open(url).then(
      (connection) => {
        connection.close()
        return 'welcome'
      },
      (error: Error & { readonly code?: string }) => error.code ?? error.message,
    )
    const honest = await open(gateway.url)
    honest.close()
    return {
      open: proofs.length > 0,
      control: true,
      saw: `${proofs.length} proofs were sent; then ${problem}`,
    }
  },
}
