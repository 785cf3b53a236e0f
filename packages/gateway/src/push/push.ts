/**
 * Tells browsers that something is waiting, each in its own language. What is sent is encrypted for that browser and
 * signed by the gateway; a push service sees neither words nor targets. A subscription is dropped when its service no
 * longer knows it and when its device was revoked. Refuses an endpoint that is not on the public internet.
 */
import {
  CountersignError,
  type DeviceId,
  type DeviceReach,
  DeviceId as DeviceShape,
  type OperatorId,
  type PushMessage,
  PushPreferences,
  type PushSubscriptionBody,
  type PushTest,
  type RunId,
  PushSubscriptionBody as Subscription,
  usualPushPreferences,
} from '@countersign/contract'
import { isPublicHost } from '@countersign/executor'
import type { Actor, Kernel } from '@countersign/kernel'
import { z } from 'zod'
import { type DeliveryOptions, deliver } from './deliver.ts'
import { afterGathering, type DelayedAct, gatherRequests } from './gather-requests.ts'
import { burstOf, digestOf, messageOf, occasionOf } from './message.ts'
import { isWanted, type Occasion } from './preferences.ts'
import { readOrCreatePushKeys } from './push-keys.ts'
import { type PushWords, pushWords } from './words/index.ts'

export interface PushOptions extends DeliveryOptions {
  readonly kernel: Kernel
  readonly operator: OperatorId
  readonly waiting: () => Promise<number>
  readonly clock: () => Date
  /** When the requests of one run, gathered since the first, are told as one (default: after one second). */
  readonly later?: DelayedAct
  readonly onProblem: (problem: unknown) => void
  /** Where a push service may be (default: on the public internet). */
  readonly isServiceHost?: (hostname: string) => boolean
}

interface DeviceSubscription {
  readonly device: string
  readonly body: StoredSubscription
}

/** Null where there is nothing to tell. The words say the same in every language, so that all are null or none is. */
type ComposedApproval = (words: PushWords) => PushMessage | null

export type Push = Awaited<ReturnType<typeof openPush>>

const collection = 'push_subscriptions'
/** As it is kept: one of an earlier version says nothing about what it wants. */
const StoredSubscription = Subscription.extend({ preferences: PushPreferences.default(usualPushPreferences) })
type StoredSubscription = z.infer<typeof StoredSubscription>
/** A run that was over sooner was seen by whoever asked. */
const longRunMs = 60_000
const hour = 3_600_000
/** More than this in an hour are gathered into one. */
const mostInHour = 6
const itself: Actor = { kind: 'gateway', id: 'gateway' }

export async function openPush(options: PushOptions) {
  const { kernel, operator, clock, onProblem, isServiceHost = isPublicHost } = options
  const { records } = kernel
  let sentAt: number[] = []
  /** Whether anybody wants to hear of ends: most runs end, and few are told of. */
  let isEndWanted = wantEnds(await subscriptions())

  const requests = gatherRequests({
    later: options.later ?? afterGathering,
    tell(gathered) {
      const [only] = gathered
      const ends = gathered.map(({ approval }) => Date.parse(approval.expiresAt))
      announce({ kind: 'approval', expiresAt: new Date(Math.min(...ends)) }, (words) =>
        gathered.length === 1 && only ? messageOf(only, words) : burstOf(gathered, words),
      ).catch(onProblem)
    },
  })

  const { stop } = await kernel.stream.listen(operator, {
    events(events) {
      for (const { body } of events) {
        if (requests.take(body)) continue
        const occasion = occasionOf(body)
        if (occasion !== null) announce(occasion, (words) => messageOf(body, words)).catch(onProblem)
        if (body.type === 'run.ended' && body.reason === 'completed') tellEnd(body.run).catch(onProblem)
      }
    },
    delta: () => undefined,
  })

  /** Asked of the database only where somebody wants to know. */
  async function tellEnd(run: RunId): Promise<void> {
    if (!isEndWanted) return
    const kind = await kindOfEnd({ kernel, operator }, run)
    if (kind === null) return
    await announce({ kind }, (words) =>
      kind === 'summary'
        ? { ...words.summary, url: '/', tag: 'summary' }
        : { ...words.finished, url: `/activity/${run}`, tag: run },
    )
  }

  async function announce(occasion: Occasion, compose: ComposedApproval): Promise<void> {
    const wants = await liveSubscriptions()
    const told = wants.filter(({ body }) => isWanted(body.preferences, occasion, clock()))
    if (told.length === 0) return
    const now = clock().getTime()
    sentAt = sentAt.filter((at) => now - at < hour)
    // A reminder is told at its time or not at all; a digest of what waits would not say it.
    const crowded = occasion.kind !== 'reminder' && sentAt.length >= mostInHour
    if (!crowded) sentAt.push(now)
    const waiting = crowded ? await options.waiting() : 0
    await tell(told, crowded ? (words) => digestOf(waiting, words) : compose)
  }

  async function subscriptions(): Promise<DeviceSubscription[]> {
    return records.read(operator, async ({ records: rows }) => {
      const { records: found } = await rows.list(collection, { limit: 100 })
      return found.flatMap(({ id, data }) => {
        const body = StoredSubscription.safeParse(data)
        return body.success ? [{ device: id, body: body.data }] : []
      })
    })
  }

  /** What is left after those of revoked devices were forgotten. */
  async function liveSubscriptions() {
    const live: DeviceSubscription[] = []
    for (const each of await subscriptions()) {
      if (await isLive(each.device)) live.push(each)
      else await forget(each.device, itself)
    }
    return live
  }

  async function isLive(id: string): Promise<boolean> {
    const device = DeviceShape.safeParse(id)
    return device.success && (await kernel.devices.lookUp(device.data)) !== null
  }

  async function tell(devices: readonly DeviceSubscription[], compose: ComposedApproval): Promise<void> {
    for (const { device, body } of devices) {
      const message = compose(pushWords[body.language])
      if (!message) continue
      const problem = await deliver(options, { device, ...body }, message)
      if (problem === 'gone') await forget(device, itself)
      else if (problem !== null) onProblem(new Error(`A notification could not be delivered: ${problem}`))
    }
  }

  /** Changes who is told of what. */
  async function change(work: Parameters<typeof records.change>[1]): Promise<number> {
    const { ledger } = await records.change(operator, work)
    isEndWanted = wantEnds(await subscriptions())
    return ledger
  }

  async function subscribe(device: DeviceId, body: PushSubscriptionBody, actor: Actor): Promise<number> {
    if (!isServiceHost(new URL(body.endpoint).hostname))
      throw new CountersignError('usage', 'The endpoint is not a push service on the public internet.', {
        next: 'Subscribe with the endpoint that the browser returns.',
      })
    return change(async (unit) => {
      const known = await unit.records.get(collection, device)
      // What it wants to be told stays as it was.
      const { preferences } = StoredSubscription.parse({ ...known?.data, ...body })
      const kept = { ...body, preferences }
      if (known) await unit.records.replace(collection, device, known.version, kept, null)
      else await unit.records.insert(collection, device, kept, null)
      unit.record({ type: 'push.subscribed', actor, data: { device } })
    })
  }

  async function prefer(device: DeviceId, preferences: PushPreferences, actor: Actor): Promise<number> {
    return change(async (unit) => {
      const known = await unit.records.get(collection, device)
      if (!known)
        throw new CountersignError('not_found', 'This browser is not subscribed.', {
          next: 'Turn notifications on first.',
        })
      await unit.records.replace(collection, device, known.version, { ...known.data, preferences }, null)
      unit.record({ type: 'push.preferred', actor, data: { device, ...preferences } })
    })
  }

  async function forget(device: string, actor: Actor): Promise<number> {
    return change(async (unit) => {
      const known = await unit.records.get(collection, device)
      if (known) await unit.records.remove(collection, device, known.version)
      unit.record({ type: 'push.unsubscribed', actor, data: { device } })
    })
  }

  return {
    publicKey: async () => (await readOrCreatePushKeys(options.keyFile)).publicKey,
    count: async () => (await subscriptions()).length,
    /** How many are told, and what this device wants to be told; null where it is not subscribed. */
    async told(device: DeviceId) {
      const all = await subscriptions()
      const own = all.find((each) => each.device === device)
      return { subscriptions: all.length, preferences: own?.body.preferences ?? null }
    },
    subscribe,
    prefer,
    forget,
    /** A revoked device gets no more notifications. */
    async forgetRevoked(): Promise<void> {
      await liveSubscriptions()
    },
    /** Only a device that seals T3 sees the service's answer: another could probe the network with it. */
    async test(device: DeviceId, reach: DeviceReach): Promise<PushTest> {
      const own = (await subscriptions()).find((each) => each.device === device)
      if (!own) return { ok: false, problem: 'This browser is not subscribed.' }
      const { product, test } = pushWords[own.body.language]
      const problem = await deliver(
        options,
        { device, ...own.body },
        { title: product, body: test, url: '/', tag: 'test' },
      )
      const told =
        reach === 3
          ? problem
          : 'The push service did not accept it. A device that may approve what leaves your hands sees its answer.'
      return { ok: problem === null, problem: problem === null ? null : told }
    },
    close() {
      requests.close()
      stop()
    },
  }
}

function wantEnds(subscriptions: readonly DeviceSubscription[]): boolean {
  return subscriptions.some(({ body: { preferences } }) =>
    preferences.kinds.some((kind) => kind === 'finished' || kind === 'summary'),
  )
}

/** Null for what the operator did themselves, and for what was over before anybody looked away. */
async function kindOfEnd(
  { kernel, operator }: Pick<PushOptions, 'kernel' | 'operator'>,
  run: RunId,
): Promise<'summary' | 'finished' | null> {
  const row = await kernel.readOnly(operator, (db) =>
    db
      .selectFrom('runs')
      .select(['agent', 'kind', 'started_at', 'ended_at'])
      .where('id', '=', run)
      .executeTakeFirst(),
  )
  if (row?.kind !== 'agent' || row.ended_at === null) return null
  if (row.agent === 'feed') return 'summary'
  return row.ended_at.getTime() - row.started_at.getTime() < longRunMs ? null : 'finished'
}
