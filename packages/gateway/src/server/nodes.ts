/**
 * Owns the routes of nodes. Those that need no device are small and counted with those of pairing devices; all that
 * they can bring about is a request that the host's own program has to answer.
 */
import { CountersignError } from '@countersign/contract'
import { nodeRoutes } from '@countersign/contract/routes'
import { bodyLimit } from 'hono/body-limit'
import type { DeviceAccess } from '../devices/device-access.ts'
import { type Nodes, requestData } from '../nodes/nodes.ts'
import { type App, receipt, route } from './route.ts'

export interface NodeRouteParts {
  readonly nodes: Omit<Nodes, 'calls' | 'gate' | 'setWorld' | 'offered' | 'close'>
  readonly pairing: DeviceAccess['pairing']
}

const largestBody = 16_384

export function addNodeRoutes(app: App, { nodes, pairing }: NodeRouteParts): void {
  app.use(
    '/v1/nodes/pairing/*',
    bodyLimit({
      maxSize: largestBody,
      onError: () => {
        throw new CountersignError('usage', `A request of a node may have at most ${largestBody} bytes.`)
      },
    }),
  )
  app.openapi(route(nodeRoutes.nodePairing), async (context) => {
    pairing.look(context.get('place'))
    return context.json(await nodes.info(), 200)
  })
  // Counted before the body is read, so that nonsense costs as much as an attempt.
  app.use('/v1/nodes/pairing/requests', async (context, next) => {
    if (context.req.method === 'POST') pairing.attempt(context.get('place'))
    await next()
  })
  app.openapi(route(nodeRoutes.requestNodePairing), async (context) => {
    const { invitation, ...given } = context.req.valid('json')
    pairing.useInvitation(invitation, context.get('place'))
    const body = { ...given, name: await nodes.freeName(given.name) }
    const requested = await nodes.pairing.request(body)
    const data = requestData({ ...body, ...requested })
    await nodes.act({ type: 'node.requested', actor: { kind: 'gateway', id: 'gateway' }, data })
    return context.json(requested, 200)
  })
  app.openapi(route(nodeRoutes.nodePairingState), (context) => {
    pairing.look(context.get('place'))
    return context.json(nodes.pairing.state(context.req.valid('param').id), 200)
  })
  app.openapi(route(nodeRoutes.nodePairingRequests), (context) => context.json(nodes.pairing.waiting(), 200))
  app.openapi(route(nodeRoutes.refuseNodePairing), async (context) => {
    const { actor } = context.get('speaker')
    const data = requestData(nodes.pairing.refuse(context.req.valid('param').id))
    return context.json(receipt(await nodes.act({ type: 'node.refused', actor, data })), 200)
  })
  app.openapi(route(nodeRoutes.nodes), async (context) => context.json(await nodes.list(), 200))
  app.openapi(route(nodeRoutes.limitNode), async (context) => {
    const { id } = context.req.valid('param')
    return context.json(
      receipt(await nodes.limit(context.get('speaker'), id, context.req.valid('json'))),
      200,
    )
  })
}
