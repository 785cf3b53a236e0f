/** Owns the routes of channels and of the people who write there. Secrets go in; no route gives one out. */
import { channelRoutes } from '@countersign/contract/routes'
import type { Channels } from '../channels/channels.ts'
import { type App, receipt, route } from './route.ts'

export function addChannelRoutes(app: App, channels: Channels): void {
  app.openapi(route(channelRoutes.channelKinds), (context) => context.json(channels.kinds(), 200))
  app.openapi(route(channelRoutes.channels), async (context) =>
    context.json(await channels.list(context.get('speaker').operator), 200),
  )
  app.openapi(route(channelRoutes.storeChannel), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await channels.store(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(channelRoutes.chooseChannel), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await channels.choose(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(channelRoutes.removeChannel), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(receipt(await channels.remove(context.get('speaker'), name)), 200)
  })
  app.openapi(route(channelRoutes.testChannel), async (context) => {
    const { name } = context.req.valid('param')
    return context.json({ chats: await channels.test(context.get('speaker'), name) }, 200)
  })
  app.openapi(route(channelRoutes.deliveries), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await channels.deliveries(context.get('speaker').operator, name), 200)
  })
  app.openapi(route(channelRoutes.settleDelivery), async (context) => {
    const { id } = context.req.valid('param')
    const { send } = context.req.valid('json')
    return context.json(receipt(await channels.settle(context.get('speaker'), id, send)), 200)
  })
  addPeerRoutes(app, channels)
}

function addPeerRoutes(app: App, channels: Channels): void {
  app.openapi(route(channelRoutes.peers), async (context) =>
    context.json(await channels.peers(context.get('speaker').operator), 200),
  )
  app.openapi(route(channelRoutes.admitPeer), async (context) =>
    context.json(await channels.admit(context.get('speaker'), context.req.valid('json')), 200),
  )
  app.openapi(route(channelRoutes.changePeer), async (context) =>
    context.json(receipt(await channels.change(context.get('speaker'), context.req.valid('json'))), 200),
  )
}
