/**
 * Owns the door for webhooks. Whoever sends has no device: a delivery is signed with a secret that the operator keeps,
 * over its time, its id and its bytes, and is taken once. Refuses without saying whether there is such a hook.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { CountersignError, HookTaken } from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import { bodyWithin } from './body-within.ts'
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

const toleranceMs = 5 * 60_000
const largestBody = 65_536
/** For one hook in one minute, whether the signature fits or not. */
const mostPerMinute = 60
/** Every hook together, so that guessing ids leads nowhere either. */
const mostInAll = 300
/** So that one address cannot use up what is there for all. */
const mostPerSender = 120

export const hookHeaders = {
  time: 'countersign-timestamp',
  delivery: 'countersign-delivery',
  signature: 'countersign-signature',
} as const

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
    const time = context.req.header(hookHeaders.time) ?? ''
    const delivery = context.req.header(hookHeaders.delivery) ?? ''
    const hook = await parts.hook(id)
    const secret = hook && (await parts.secretOf(hook.secret))
    const given = context.req.header(hookHeaders.signature) ?? ''
    const isSigned = isSignatureOf(secret, headOf(time, delivery), body, given)
    if (!isSigned || !isRecent(time, parts.clock()) || !/^[\w.:-]{1,100}$/.test(delivery)) throw refusedHook()
    const taken = await parts.deliver(id, { id: delivery, words: textOf(body) })
    if (!taken) throw refusedHook()
    return context.json({ ok: true, ...taken } satisfies HookTaken, 200)
  })
}

/** What a sender puts into the header: the version, and the code over time, id and body in hexadecimal. */
export function signatureOf(
  secret: string,
  { time, delivery }: { readonly time: string; readonly delivery: string },
  body: string | Uint8Array,
): string {
  return `v1=${createHmac('sha256', secret).update(headOf(time, delivery)).update(body).digest('hex')}`
}

/** The id is signed too: otherwise whoever saw one delivery could send it again under another. */
const headOf = (time: string, delivery: string): string => `${time}.${delivery}.`

/** Takes as long without a secret as with one. */
function isSignatureOf(secret: string | undefined, head: string, body: Uint8Array, given: string): boolean {
  const code = createHmac('sha256', secret ?? 'nobody knows this one')
    .update(head)
    .update(body)
    .digest()
  const shown = Buffer.from(/^v1=([0-9a-f]{64})$/.exec(given)?.[1] ?? '0'.repeat(64), 'hex')
  return timingSafeEqual(code, shown) && secret !== undefined
}

/** Whole seconds since 1970, as senders write it. */
function isRecent(time: string, now: Date): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(now.getTime() - Number(time) * 1_000) <= toleranceMs
}

function textOf(body: Uint8Array): string {
  return new TextDecoder('utf-8').decode(body)
}

function refusedHook(): CountersignError {
  return new CountersignError('not_authenticated', 'This delivery has no valid signature, or is too old.', {
    next: `Send ${hookHeaders.time} (seconds since 1970), ${hookHeaders.delivery} and ${hookHeaders.signature}: v1= and the HMAC-SHA256 of “time.delivery.body”.`,
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
