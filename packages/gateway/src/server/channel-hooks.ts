/**
 * Owns the door by which a platform sends to a channel. Nothing is known of whoever sends: the request goes to the process
 * of that channel, which alone knows the secret that it is signed with. Refuses without saying whether there is such a channel.
 */
import type { WebAnswer, WebRequest } from '@countersign/channels'
import { CountersignError } from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { bodyWithin } from './body-within.ts'
import { everybodyElsewhere } from './request-place.ts'
import type { App, Env } from './route.ts'
import { createSenderRate } from './sender-rate.ts'

export interface ChannelHookParts {
  /** Undefined where nothing takes it. */
  request(name: string, request: WebRequest): Promise<WebAnswer | undefined>
  readonly clock: () => Date
}

const largestBody = 1_048_576
/** Platforms send from few addresses, and many messages. */
const mostPerSender = 600
const mostInAll = 1_200
/** At once for each channel, so that none waits for what another takes its time with. */
const mostUnderWay = 16
/** Bodies that are being read: of one sender, and in all. They hold up nobody until they are there. */
const mostReading = { each: 32, inAll: 256 }
/** A platform sends its few bytes at once. */
const bodyMs = 10_000
/** What platforms sign with and tell their events apart by; a channel sees no other header. */
const told = /^(content-type|webhook-[a-z]+|x-hub-signature-256|x-github-[a-z-]+|user-agent)$/

export function addChannelHookRoutes(app: App, parts: ChannelHookParts): void {
  const senders = createSenderRate(parts.clock, {
    each: mostPerSender,
    elsewhere: mostInAll,
    told: 'Too many deliveries in a minute.',
  })
  const reading = createPlaces()
  const underWay = createPlaces()
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/hooks/channels/{name}',
    summary: 'Takes what a platform sends to a channel, signed as that platform does and without a device.',
    request: { params: z.object({ name: z.string() }) },
    responses: {
      200: { description: 'Taken.' },
      401: { description: 'Not signed, or nothing is taken here.' },
    },
  })
  app.on(['GET', 'POST'], '/hooks/channels/:name', async (context) => {
    const { origin, sender } = context.get('place')
    const name = context.req.param('name').slice(0, 100)
    if (origin !== null && sender !== everybodyElsewhere) senders.check(sender)
    const most = sender === everybodyElsewhere ? mostReading.inAll : mostReading.each
    const request = await reading.within(sender, most, mostReading.inAll, () => requestOf(context))
    const answer = await underWay.within(name, mostUnderWay, Number.POSITIVE_INFINITY, () =>
      parts.request(name, request),
    )
    if (!answer || (answer.status >= 300 && answer.status < 500)) {
      // Only what proves nothing counts, so that nobody else can use up what is there for a platform. Whether there is
      // such a channel, and what it thought of it, is not for whoever asks.
      if (origin !== null) senders.take(sender)
      throw new CountersignError('not_authenticated', 'This delivery is not signed for a channel here.', {
        next: 'Check the address and the secret where the platform was told them.',
      })
    }
    return new Response(answer.text, {
      status: answer.status,
      headers: { 'content-type': `${plain(answer.mediaType)}; charset=utf-8` },
    })
  })
}

async function requestOf(context: Context<Env>): Promise<WebRequest> {
  const headers = Object.entries(context.req.header()).filter(([name]) => told.test(name))
  return {
    method: context.req.method === 'POST' ? 'POST' : 'GET',
    query: new URL(context.req.url).search.slice(1, 10_000),
    headers: Object.fromEntries(headers),
    body: await bodyWithin(context, largestBody, AbortSignal.timeout(bodyMs)).catch(tooSlow),
  }
}

function tooSlow(error: unknown): never {
  if (error instanceof CountersignError) throw error
  throw new CountersignError('usage', 'The delivery did not come in time.')
}

/** How much is under way at once, under each name and in all. */
function createPlaces() {
  const taken = new Map<string, number>()
  let inAll = 0
  return {
    async within<T>(name: string, most: number, mostInAll: number, work: () => Promise<T>): Promise<T> {
      const own = taken.get(name) ?? 0
      if (own >= most || inAll >= mostInAll)
        throw new CountersignError('limit_reached', 'Too many deliveries at once.')
      taken.set(name, own + 1)
      inAll += 1
      try {
        return await work()
      } finally {
        inAll -= 1
        const left = (taken.get(name) ?? 1) - 1
        if (left > 0) taken.set(name, left)
        else taken.delete(name)
      }
    },
  }
}

/** A channel never answers with a page. */
function plain(mediaType: string): string {
  return mediaType === 'application/json' ? mediaType : 'text/plain'
}
