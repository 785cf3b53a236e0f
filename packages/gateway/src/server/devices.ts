/**
 * Owns the routes of pairing, devices and passkeys. The few that need no device are small and counted; all that they
 * can bring about is a request that somebody else has to answer, or what a passkey itself has proven.
 */
import { CountersignError, type PairingInfo } from '@countersign/contract'
import { fingerprint, livePasskeys } from '@countersign/contract/node'
import { deviceRoutes, passkeyRequestRoutes } from '@countersign/contract/routes'
import type { Actor, EntryDraft } from '@countersign/kernel'
import { bodyLimit } from 'hono/body-limit'
import type { DeviceRegistry } from '../devices/device-registry.ts'
import type { Pairing } from '../devices/pairing.ts'
import type { RequestSender } from './request-sender.ts'
import { type App, receipt, route } from './route.ts'

export interface DeviceRouteParts {
  readonly registry: DeviceRegistry
  readonly pairing: Pairing
  /** What a page may know before it is a device. */
  readonly about: Omit<PairingInfo, 'passkeys'>
  /** Records an act, and tells every client that the devices changed. */
  readonly act: (entry: EntryDraft) => Promise<number>
}

const largestBody = 16_384

export function addDeviceRoutes(app: App, parts: DeviceRouteParts): void {
  app.use(
    '/v1/pairing/*',
    bodyLimit({
      maxSize: largestBody,
      onError: () => {
        throw new CountersignError('usage', `A pairing request may have at most ${largestBody} bytes.`)
      },
    }),
  )
  addPairing(app, parts)
  addAnswers(app, parts)
  addDevices(app, parts)
  addPasskeyRequests(app, parts)
}

/** Without a device. */
function addPairing(app: App, { registry, pairing, about, act }: DeviceRouteParts): void {
  app.openapi(route(deviceRoutes.pairing), async (context) => {
    pairing.look(context.get('place'))
    return context.json({ ...about, passkeys: livePasskeys(await registry.believed()).length > 0 }, 200)
  })
  // Counted before the body is read, so that nonsense costs as much as an attempt.
  app.use('/v1/pairing/requests', async (context, next) => {
    if (context.req.method === 'POST') pairing.attempt(context.get('place'))
    await next()
  })
  app.use('/v1/pairing/by-passkey', async (context, next) => {
    pairing.attempt(context.get('place'))
    await next()
  })
  app.openapi(route(deviceRoutes.requestPairing), async (context) => {
    const given = context.req.valid('json')
    const body = { ...given, name: await registry.freeName(given.name) }
    const requested = pairing.request(body, context.get('place'))
    const { key, name, platform, reach } = body
    const data = { request: requested.id, key: fingerprint(key), name, platform, reach }
    await act({ type: 'pairing.requested', actor: { kind: 'gateway', id: 'gateway' }, data })
    return context.json(requested, 200)
  })
  app.openapi(route(deviceRoutes.pairingState), (context) => {
    pairing.look(context.get('place'))
    return context.json(pairing.state(context.req.valid('param').id), 200)
  })
  app.openapi(route(deviceRoutes.pairByPasskey), async (context) => {
    const signed = context.req.valid('json')
    const { statement, passkey } = signed
    if (statement.kind !== 'device' || signed.by !== null || passkey === null)
      throw new CountersignError('usage', 'Only a new device is let in so, by a passkey alone.', {
        next: 'Send a device statement with a passkey’s proof and no signature.',
      })
    const known = (await registry.believed()).passkeys.get(passkey.credential)
    const actor: Actor = { kind: 'operator', id: known?.name ?? 'passkey' }
    return context.json(receipt(await registry.accept(signed, actor)), 200)
  })
}

/** What a device that is let in may answer. */
function addAnswers(app: App, { pairing, act }: DeviceRouteParts): void {
  app.openapi(route(deviceRoutes.invite), (context) =>
    context.json(pairing.invite(context.req.valid('json')), 200),
  )
  app.openapi(route(deviceRoutes.pairingRequests), (context) => context.json(pairing.waiting(), 200))
  app.openapi(route(deviceRoutes.refusePairing), async (context) => {
    const { actor } = context.get('speaker')
    const { id, key, name, platform } = pairing.refuse(context.req.valid('param').id)
    const data = { request: id, key: fingerprint(key), name, platform }
    return context.json(receipt(await act({ type: 'pairing.refused', actor, data })), 200)
  })
}

function addDevices(app: App, { registry }: DeviceRouteParts): void {
  app.openapi(route(deviceRoutes.devices), async (context) =>
    context.json(await registry.list(context.get('speaker').device), 200),
  )
  app.openapi(route(deviceRoutes.stateDevice), async (context) =>
    context.json(
      receipt(await registry.accept(context.req.valid('json'), context.get('speaker').actor)),
      200,
    ),
  )
  app.openapi(route(deviceRoutes.registerPasskey), async (context) =>
    context.json(receipt(await registry.register(context.req.valid('json'), context.get('speaker'))), 200),
  )
  app.openapi(route(deviceRoutes.renameDevice), async (context) => {
    const { id } = context.req.valid('param')
    const speaker: RequestSender = context.get('speaker')
    const { name } = context.req.valid('json')
    return context.json(receipt(await registry.rename(id, name, speaker.actor)), 200)
  })
}

/** A passkey at a name where none works yet: one device asks, and a statement of another one answers. */
function addPasskeyRequests(app: App, { registry }: DeviceRouteParts): void {
  app.openapi(route(passkeyRequestRoutes.passkeyRequests), async (context) =>
    context.json(await registry.passkeyRequests(), 200),
  )
  app.openapi(route(passkeyRequestRoutes.requestPasskey), async (context) =>
    context.json(await registry.requestPasskey(context.req.valid('json'), context.get('speaker')), 200),
  )
  app.openapi(route(passkeyRequestRoutes.refusePasskey), async (context) => {
    const { id } = context.req.valid('param')
    return context.json(receipt(await registry.refusePasskey(id, context.get('speaker').actor)), 200)
  })
}
