/** A stranger begins deliveries and sends a byte of them now and then: they take the places of what platforms deliver. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { askAnyhow, publicName, publicOrigin } from '../public-origin.ts'
import type { Scene, Stage } from '../stage.ts'

const slow = 40
/** Of one sender. */
const places = 32

export const attack: Attack = {
  name: 'delivery-that-never-ends',
  promise: 'Whoever sends to a channel slowly holds up nobody else.',
  mutant: 'slow-senders-hold-places',
  async run(stage) {
    const scene = await stage.ownScene({
      environment: {
        COUNTERSIGN_PUBLIC_ORIGINS: publicOrigin,
        COUNTERSIGN_TRUSTED_PROXIES: '127.0.0.1',
      },
    })
    const before = await deliver(scene, '198.51.100.1')
    let refused = 0
    for (let count = 0; count < slow; count += 1) await begin(stage, scene, () => (refused += 1))
    // By then the others have their places.
    const areThere = await until(() => refused >= slow - places, 10_000)
    const after = await deliver(scene, '198.51.100.1')
    return {
      open: after === 429,
      // Nothing is signed, so that it is looked at and refused.
      control: before === 401 && areThere,
      saw: `a delivery was answered with ${before} before, and with ${after} meanwhile`,
    }
  },
}

const headersOf = (sender: string) => ({
  host: publicName,
  'x-forwarded-for': sender,
  'x-forwarded-proto': 'https',
})

async function deliver(scene: Scene, sender: string): Promise<number> {
  const { status } = await askAnyhow(scene, {
    method: 'POST',
    path: '/hooks/channels/any',
    headers: headersOf(sender),
    body: { text: 'Hello' },
  })
  return status
}

/** Resolves when the head of it is on its way. */
async function begin(stage: Stage, { gateway }: Scene, refused: () => void): Promise<void> {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect({ host: hostname, port: Number(port) })
  stage.afterwards(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.once('data', refused)
  await once(socket, 'connect')
  const head = Object.entries(headersOf('203.0.113.9')).map(([name, value]) => `${name}: ${value}\r\n`)
  const lines = ['POST /hooks/channels/any HTTP/1.1\r\n', ...head, 'content-length: 1000\r\n\r\n{']
  await new Promise((resolve) => socket.write(lines.join(''), resolve))
}
