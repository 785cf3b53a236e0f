/** Owns the HTTP API. Every route is declared with its shapes, from which the OpenAPI document is made. */

import { randomUUIDv7 } from 'node:crypto'
import type { Address } from '@countersign/assistant'
import { CountersignError, errorCatalogue, type Status } from '@countersign/contract'
import { gatewayRoutes, historyRoutes, ledgerRoutes, runRoutes } from '@countersign/contract/routes'
import type { Kernel } from '@countersign/kernel'
import type { Views } from '@countersign/views'
import type { HttpBindings } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { openAiPrefix } from '../programs/openai/errors.ts'
import type { RequestAuthenticator } from './auth.ts'
import { chosenModel } from './chosen-model.ts'
import { errorReply, knownFailure, unreadable } from './failures.ts'
import type { Lockout } from './lockout.ts'
import { openAiReply } from './openai.ts'
import { addPages, addWorker, type Pages } from './pages.ts'
import { isProgramPath } from './program-door.ts'
import { addProofs, type Prover } from './proof.ts'
import { addRecordRoutes } from './records.ts'
import type { RequestSender } from './request-sender.ts'
import { type App, addStream, byteStream, type Env, languageFor, receipt, route } from './route.ts'
import { addSecretRoutes, type SecretAdmin } from './secrets.ts'
import { addToolRoutes, type ToolRoutes } from './tools.ts'
import { needsDevice } from './unsigned.ts'

export interface ApiOptions {
  readonly kernel: Kernel
  readonly views: Views
  readonly authenticator: RequestAuthenticator
  readonly prover: Prover
  readonly lockout: Lockout
  readonly version: string
  readonly status: (speaker: RequestSender) => Promise<Status>
  readonly tools: ToolRoutes
  readonly secrets: SecretAdmin
  /** Routes that other modules add. */
  readonly routes: readonly ((app: App) => void)[]
  /** To whom a message goes. */
  readonly address: Address
  readonly pages: Pages
  readonly onProblem: (error: unknown) => void
}

const largestBody = 1_048_576
const yearSeconds = 31_536_000

export function createApi(options: ApiOptions) {
  const { kernel, views } = options
  const app = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw unreadable(result)
    },
  })

  app.onError((error, context) => {
    const known = knownFailure(error)
    if (!known) options.onProblem(error)
    const isStranger = !context.get('speaker') && !context.get('program') && context.get('place')
    const failure =
      // Whoever is in may be refused things, and has proven something.
      known?.code === 'not_authenticated' && isStranger
        ? failedAttempt(options.lockout, context, known)
        : (known ??
          new CountersignError('internal', 'The gateway could not do this. See its log for the cause.'))
    if (context.req.path.startsWith(openAiPrefix)) return openAiReply(context, failure, kernel.redactor.json)
    return context.json(kernel.redactor.json(errorReply(failure)), errorCatalogue[failure.code].http)
  })
  app.notFound((context) => {
    const failure = new CountersignError('not_found', `There is nothing at ${context.req.path}.`)
    if (context.req.path.startsWith(openAiPrefix)) return openAiReply(context, failure, kernel.redactor.json)
    return context.json(kernel.redactor.json(errorReply(failure)), 404)
  })

  addProofs(app, options.prover)
  app.use('*', async (context, next) => {
    const place = options.authenticator.placeOf(
      { headers: context.req.header(), peer: peerOf(context) },
      context.req.path.startsWith('/v1/') || isProgramPath(context.req.path) ? 'api' : 'page',
    )
    if (place === undefined)
      throw new CountersignError(
        'not_authenticated',
        'This host name or origin does not belong to the gateway.',
        { next: 'Name it in `publicOrigins` if it is yours; see docs/operators/remote-access.md.' },
      )
    context.set('place', place)
    await next()
    const { headers: answered } = context.res
    // A browser that was here once never comes without TLS again.
    if (place.origin?.startsWith('https:'))
      answered.set('strict-transport-security', `max-age=${yearSeconds}`)
    // A page brings its own.
    if (answered.has('content-security-policy')) return
    answered.set('x-content-type-options', 'nosniff')
    answered.set('cache-control', 'no-store')
    answered.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  })

  for (const open of [
    '/v1/pairing',
    '/v1/pairing/*',
    '/v1/nodes/pairing',
    '/v1/nodes/pairing/*',
    '/hooks/*',
    '/metrics',
  ])
    app.use(open, async (context, next) => {
      options.lockout.admit(context.get('place'))
      await next()
    })
  addWorker(app, options.pages)
  app.openapi(route(gatewayRoutes.health), (context) =>
    context.json({ ok: true, gateway: kernel.gateway, version: options.version }, 200),
  )
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version: options.version,
      description: 'The API of a Countersign gateway. Every call is signed by a paired device.',
    },
  })

  app.use(
    '/v1/*',
    bodyLimit({
      maxSize: largestBody,
      onError: () => {
        throw new CountersignError('usage', `A request may have at most ${largestBody} bytes.`)
      },
    }),
  )
  app.use('/v1/*', async (context, next) => {
    if (needsDevice(context.req.method, context.req.path))
      context.set('speaker', await speakerOf(context, options.authenticator))
    await next()
  })

  app.openapi(route(gatewayRoutes.status), async (context) =>
    context.json(await options.status(context.get('speaker')), 200),
  )
  app.openapi(route(historyRoutes.send), async (context) => {
    const speaker = context.get('speaker')
    const message = context.req.valid('json')
    const { key, session, text, attachments, metadata, mode, turns } = message
    const choice = chosenModel(speaker, message)
    const admitted = await kernel.admit(speaker.operator, {
      key,
      session,
      text,
      attachments,
      metadata,
      mode,
      turns,
      ...(await options.address(message)),
      ...choice,
      requester: { kind: 'operator', id: speaker.actor.id },
    })
    return context.json(admitted, 200)
  })
  app.openapi(route(historyRoutes.sessions), async (context) =>
    context.json(await views.sessions(context.get('speaker').operator), 200),
  )
  app.openapi(route(historyRoutes.session), async (context) =>
    context.json(await views.session(context.get('speaker').operator, context.req.valid('param').id), 200),
  )
  app.openapi(route(runRoutes.runs), async (context) => {
    const { session, state } = context.req.valid('query')
    const filter = { ...(session ? { session } : {}), ...(state ? { state } : {}) }
    return context.json(await views.runs(context.get('speaker').operator, filter), 200)
  })
  app.openapi(route(runRoutes.run), async (context) =>
    context.json(await views.run(context.get('speaker').operator, context.req.valid('param').id), 200),
  )
  app.openapi(route(runRoutes.ids), async (context) => {
    const ids = await views.shortIds(context.get('speaker').operator, context.req.valid('query'))
    return context.json({ ids }, 200)
  })
  app.openapi(route(runRoutes.stopRun), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(receipt(await kernel.stopRun(operator, context.req.valid('param').id, actor)), 200)
  })
  app.openapi(route(runRoutes.pauseRun), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(receipt(await kernel.pauseRun(operator, context.req.valid('param').id, actor)), 200)
  })
  app.openapi(route(runRoutes.resumeRun), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(receipt(await kernel.resumeRun(operator, context.req.valid('param').id, actor)), 200)
  })
  app.openapi(route(runRoutes.retryRun), async (context) => {
    const speaker = context.get('speaker')
    const { operator, actor } = speaker
    const { session, ...wanted } = context.req.valid('json')
    // What a run was done with goes along: its agent, its goal and its model.
    if (session !== undefined && speaker.reach < 3)
      throw new CountersignError('step_up_needed', `${actor.id} may not send it again elsewhere.`, {
        next: 'Send it again in its own conversation, or from a device that approves what is visible to others.',
      })
    const chosen = { ...chosenModel(speaker, wanted), session }
    return context.json(await kernel.retryRun(operator, context.req.valid('param').id, actor, chosen), 200)
  })
  app.openapi(route(runRoutes.undoRun), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { calls } = context.req.valid('json')
    return context.json(await kernel.undoRun(operator, context.req.valid('param').id, actor, calls), 200)
  })
  app.openapi(route(runRoutes.why), async (context) =>
    context.json(
      await views.why(context.get('speaker').operator, context.req.valid('query').ref, languageFor(context)),
      200,
    ),
  )
  app.openapi(route(gatewayRoutes.events), async (context) => {
    const { since, limit } = context.req.valid('query')
    return context.json([...(await kernel.stream.since(context.get('speaker').operator, since, limit))], 200)
  })
  app.openapi(route(ledgerRoutes.verifyLedger), async (context) =>
    context.json(await kernel.verifyLedger(context.get('speaker').operator), 200),
  )
  addStream(app, ledgerRoutes.exportLedger, async (context) =>
    context.body(byteStream(await kernel.exportLedger(context.get('speaker').operator), '\n')),
  )
  app.openapi(route(gatewayRoutes.pause), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(receipt(await kernel.pause(operator, actor)), 200)
  })
  app.openapi(route(gatewayRoutes.resume), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(receipt(await kernel.resume(operator, actor)), 200)
  })
  for (const add of options.routes) add(app)
  addSecretRoutes(app, options.secrets)
  addToolRoutes(app, kernel, views, options.tools)
  addRecordRoutes(app, { records: kernel.records, uuid: randomUUIDv7 })
  addPages(app, options.pages)
  return app
}

/** Counted, and told of the lockout where there is one. With a token that counts nobody comes here. */
function failedAttempt(lockout: Lockout, context: Context<Env>, refused: CountersignError): CountersignError {
  const place = context.get('place')
  if (isProgramPath(context.req.path))
    try {
      lockout.admit(place)
    } catch (locked) {
      if (locked instanceof CountersignError) return locked
      throw locked
    }
  lockout.failed(place)
  return refused
}

/** Known only where the request came over a connection, as all but those of tests do. */
function peerOf(context: Context<Env>): string | undefined {
  const bindings = context.env as Partial<HttpBindings> | undefined
  return bindings?.incoming?.socket.remoteAddress
}

async function speakerOf(context: Context, authenticator: RequestAuthenticator): Promise<RequestSender> {
  const url = new URL(context.req.url)
  return authenticator.speakerOf({
    method: context.req.method,
    path: `${url.pathname}${url.search}`,
    routed: context.req.path,
    body: await context.req.text(),
    header: (name) => context.req.header(name),
  })
}
