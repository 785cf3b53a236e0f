/** A page keeps a socket to a host that one call named, and uses it during the next call, which does not name it. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  openTestBrowsers,
  openTestSite,
} from '../../../../../../packages/executor/src/browser/testing/test-site.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'connection-outlives-its-call',
  promise: 'When a call ends, every connection of the page ends.',
  mutant: 'connections-outlive-calls',
  async run(stage) {
    let received = 0
    const other = createServer()
    other.on('upgrade', (request, socket) => {
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
      const accept = createHash('sha1').update(key).digest('base64')
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      )
      socket.on('data', () => {
        received += 1
      })
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const site = await openTestSite((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<title>Page</title><script>
        const socket = new WebSocket('ws://127.0.0.1:${port}/')
        socket.onopen = () => socket.send('first')
        const say = () => new Promise((resolve) => {
          if (socket.readyState !== WebSocket.OPEN) return resolve('closed')
          socket.send('second')
          setTimeout(() => resolve('sent'), 300)
        })</script>`)
    })
    const { pool, act } = openTestBrowsers([site.port, port])
    stage.afterwards(async () => {
      await site.close()
      other.close()
      other.closeAllConnections()
    })
    stage.afterwards(() => pool.close())
    const url = `${site.origin}/`
    await act({ action: 'navigate', url }, { also: [port] })
    const first = received
    const said = await act({ action: 'evaluate', url, code: 'await say()' })
    return {
      open: received > first,
      control: first > 0 && said.kind === 'seen',
      saw: `${first} messages during the call that names the host, ${received - first} during the next`,
    }
  },
}
