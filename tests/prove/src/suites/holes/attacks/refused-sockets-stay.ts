/** Whoever may not speak at the socket hangs on after the refusal, again and again, until the gateway has no descriptor left. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { openSockets } from '../../../open-sockets.ts'
import type { Attack } from '../attack.ts'

const attempts = 100

export const attack: Attack = {
  name: 'refused-sockets-stay',
  promise: 'The gateway keeps no connection that it has refused.',
  mutant: 'refused-sockets-stay',
  async run(stage) {
    const { gateway } = await stage.scene()
    const before = openSockets(gateway.pid)
    const answers = await Promise.all(Array.from({ length: attempts }, () => hangOn(new URL(gateway.url))))
    for (const { socket } of answers) stage.afterwards(() => void socket.destroy())
    // The honest request is the last that arrives, so that everything before it was dealt with.
    await gateway.client.status()
    const kept = openSockets(gateway.pid) - before
    const refused = answers.filter(({ said }) => said.startsWith('HTTP/1.1 403')).length
    return {
      open: kept > attempts / 2,
      control: refused === attempts,
      saw: `${refused} of ${attempts} connections were refused, ${kept} of them stay`,
    }
  },
}

/** Asks for a socket where there is none, hears the refusal and its end, and keeps its own half open. */
async function hangOn({ hostname, port, host }: URL) {
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.on('error', () => undefined)
  let said = ''
  socket.on('data', (piece) => (said += String(piece)))
  socket.write(
    `GET /v1/nothing HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
  )
  await once(socket, 'end')
  return { socket, said }
}
