/**
 * Owns the door for webhooks. Whoever sends has no device: a delivery is signed with a secret that the operator keeps,
 * over its time, its id and its bytes, and is taken once. Refuses without saying whether there is such a hook.
 */
import { CountersignError, HookTaken } from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import { bodyWithin } from './body-within.ts'
import { hookHeaders, signedDelivery } from './hook-signature.ts'
import type { App } from './route.ts'
import { createSenderRate } from './sender-rate.ts'

export interface HookParts {
  /** What the deliveries of a schedule are signed with; undefined where it takes none. */
  hook(id: string): Promise<{ readonly secret: string } | undefined>
  /** Sets the schedule off; a delivery that came before sets off nothing. */
  deliver(
    id: string,
    delivery: { readonly id: string; readonly words: string },
  ): Promise<{ readonly occurrence: string; readonly repeated: boolean } | undefined>
  /** The value of a secret, for comparing only. */
  secretOf(name: string): Promise<string | undefined>
  readonly clock: () => Date
}

const largestBody = 65_536
/** For one hook in one minute, whether the signature fits or not. */
const mostPerMinute = 60
/** Every hook together, so that guessing ids leads nowhere either. */
const mostInAll = 300
/** So that one address cannot use up what is there for all. */
const mostPerSender = 120

export function addHookRoutes(app: App, parts: HookParts): void {
  const rate = createRate(parts.clock)
  const told = 'Too many deliveries in a minute.'
  const senders = createSenderRate(parts.clock, { each: mostPerSender, elsewhere: mostInAll, told })
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/hooks/{id}',
    summary: 'Takes a webhook for an automation, signed with its secret and without a device.',
    request: { params: z.object({ id: z.string() }) },
    responses: {
      204: { description: 'A ping of GitHub, which sets nothing off.' },
      200: { description: 'Taken.', content: { 'application/json': { schema: HookTaken } } },
      401: { description: 'The signature, the time or the hook is wrong. The answer does not say which.' },
    },
  })
  app.post('/hooks/:id', async (context) => {
    const id = context.req.param('id').slice(0, 100)
    const { origin, sender } = context.get('place')
    if (origin !== null) senders.take(sender)
    if (!rate.take(id)) throw new CountersignError('limit_reached', told)
    const body = await bodyWithin(context, largestBody)
    const hook = await parts.hook(id)
    const secret = hook && (await parts.secretOf(hook.secret))
    const header = (name: string) => context.req.header(name)
    const delivery = signedDelivery(secret, { header, body, now: parts.clock() })
    if (!delivery) throw refusedHook()
    if (delivery.isPing) return context.body(null, 204)
    const taken = await parts.deliver(id, { id: delivery.id, words: delivery.words })
    if (!taken) throw refusedHook()
    return context.json({ ok: true, ...taken } satisfies HookTaken, 200)
  })
}

function refusedHook(): CountersignError {
  return new CountersignError('not_authenticated', 'This delivery has no valid signature, or is too old.', {
    next: `Send ${hookHeaders.time} (seconds since 1970), ${hookHeaders.delivery} and ${hookHeaders.signature}: v1= and the HMAC-SHA256 of “time.delivery.body”. Those of Standard Webhooks and of GitHub are taken too.`,
  })
}

/** Counts by the minute, and forgets what is over. */
function createRate(clock: () => Date) {
  let since = 0
  let counts = new Map<string, number>()
  let all = 0
  return {
    take(id: string): boolean {
      const minute = Math.floor(clock().getTime() / 60_000)
      if (minute !== since) {
        since = minute
        counts = new Map()
        all = 0
      }
      all += 1
      const count = (counts.get(id) ?? 0) + 1
      if (all > mostInAll) return false
      counts.set(id, count)
      return count <= mostPerMinute
    },
  }
}
