/**
 * Plays the operator while gateways come and go: eight conversations at once, every message sent under one key until
 * it is acknowledged, every request decided with the device's seal, every open end settled by what the recorder saw.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AdmissionReply,
  type ApprovalView,
  CountersignError,
  type EventBody,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { approvalFor, type GatewayProcess, type Installation } from '@countersign/harness'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { createPlan, effectIn, type KillPlan, messageOf } from './plan.ts'
import type { Recorder } from './recorder.ts'

export interface DrivenInput {
  readonly key: string
  readonly plan: KillPlan
  readonly admitted: AdmissionReply
}

export interface Driver {
  /** Every request from now on goes to this gateway, once it answers. */
  turnTo(gateway: Promise<GatewayProcess>): void
  /** Lets loose the decisions that are meant to meet a kill. */
  aboutToKill(): void
  /** Lets loose the decisions that waited for the next start. */
  restarted(): void
  /** Sends nothing new and waits until everything has ended. False when the time is up first. */
  rest(timeoutMs: number): Promise<boolean>
  goOn(): void
  stop(): Promise<void>
  /** Acknowledged messages, oldest first. */
  readonly inputs: readonly DrivenInput[]
  readonly verdicts: ReadonlyMap<string, 'approve' | 'deny'>
  readonly problems: readonly string[]
  underWay(): readonly string[]
}

export interface DriverOptions {
  readonly installation: Installation
  readonly gateway: Promise<GatewayProcess>
  readonly recorder: Recorder
  readonly random: Random
  /** Begins every name, so that two drivers never use the same. */
  readonly prefix: string
}

const conversations = 8
const messagesPerSession = 6
/** A decision that waits for a kill or a start does not wait longer than this. */
const longestWaitMs = 4_000
/** What an executor sent before it was killed has reached the recorder after this. */
const arrivalMs = 500

class Stopped extends Error {}

export function createDriver(options: DriverOptions): Driver {
  const { installation, recorder, random, prefix } = options
  const inputs: DrivenInput[] = []
  const verdicts = new Map<string, 'approve' | 'deny'>()
  const problems: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const open = new Map<string, number>()
  const tasks = new Set<Promise<void>>()
  let current = options.gateway
  let kill = Promise.withResolvers<void>()
  let start = Promise.withResolvers<void>()
  let work = Promise.withResolvers<void>()
  let resting = false
  let stopped = false
  let count = 0
  work.resolve()

  function task(name: string, body: () => Promise<void>): void {
    open.set(name, Date.now())
    const running = body()
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) problems.push(`${name}: ${String(error)}`)
      })
      .finally(() => {
        open.delete(name)
        tasks.delete(running)
      })
    tasks.add(running)
  }

  /** Tries until it is answered, by whichever gateway lives. */
  async function use<T>(request: (client: Client) => Promise<T>): Promise<T> {
    for (;;) {
      if (stopped) throw new Stopped()
      try {
        const { client } = await current
        return await request(client)
      } catch (error) {
        if (error instanceof CountersignError && !passing.has(error.code)) throw error
        if (error instanceof Stopped) throw error
      }
      await sleep(20)
    }
  }

  async function converse(): Promise<void> {
    for (let session: AdmissionReply['session'] | null = null, used = 0; !stopped; ) {
      await work.promise
      if (stopped) return
      const size: number = session !== null && random.below(4) === 0 ? 2 : 1
      const name = `${prefix}${count}`
      open.set(name, Date.now())
      const sent: AdmissionReply[] = await Promise.all(Array.from({ length: size }, () => send(session)))
      if (stopped) return
      await Promise.all(sent.map(({ input }) => endOf(input).promise))
      open.delete(name)
      used += size
      session = used < messagesPerSession ? (sent[0]?.session ?? null) : null
      if (session === null) used = 0
    }
  }

  async function send(session: AdmissionReply['session'] | null): Promise<AdmissionReply> {
    const plan = createPlan(`${prefix}${count++}`, random)
    const key = `message-${plan.id}`
    const admitted = await use((client) =>
      client.send({ key, session, text: messageOf(plan), mode: 'queue' }),
    )
    inputs.push({ key, plan, admitted })
    return admitted
  }

  function endOf(input: string): PromiseWithResolvers<void> {
    const known = ends.get(input)
    if (known) return known
    const fresh = Promise.withResolvers<void>()
    ends.set(input, fresh)
    return fresh
  }

  async function follow(): Promise<void> {
    for (let since = 0; ; ) {
      const events = await use((client) => client.events(since, 500))
      for (const event of events) {
        since += 1
        if (event.seq !== since) problems.push(`event ${since} is missing`)
        since = event.seq
        take(event.body)
      }
      if (events.length < 500) await sleep(25)
    }
  }

  function take(event: EventBody): void {
    if (event.type === 'run.ended') endOf(event.input).resolve()
    if (event.type === 'approval.requested') task(`decide ${event.approval.id}`, () => decide(event.approval))
    if (event.type === 'question.asked') task(`settle ${event.question}`, () => settle(event))
  }

  async function decide({ id }: ApprovalView): Promise<void> {
    const verdict = random.below(10) === 0 ? 'deny' : 'approve'
    verdicts.set(id, verdict)
    const moment = resting ? 'soon' : random.pick(['soon', 'soon', 'kill', 'start'])
    if (moment === 'soon') await sleep(random.below(150))
    else await Promise.race([(moment === 'kill' ? kill : start).promise, sleep(longestWaitMs)])
    await use(async (client) => {
      const detail = await client.approval(id)
      if (detail.approval.state !== 'pending') return
      const decision =
        verdict === 'approve'
          ? approvalFor(installation, detail)
          : { verdict: 'deny' as const, reason: 'Not this one.', stop: false }
      await client.decide(id, decision).catch(unlessItArrived)
    })
  }

  async function settle(event: Extract<EventBody, { type: 'question.asked' }>): Promise<void> {
    await sleep(arrivalMs)
    const { calls } = await use((client) => client.run(event.run))
    const call = calls.find(({ id }) => id === event.call)
    const effect = call && effectIn(call.args)
    const happened = recorder.effects().some(({ id }) => id === effect)
    const answer = happened ? 'done' : random.pick(['not done', 'try again'])
    await use(async (client) => {
      await client.answer(event.question, { answer }).catch(unlessItArrived)
    })
  }

  task('events', follow)
  for (let number = 1; number <= conversations; number += 1) task(`conversation ${number}`, converse)

  return {
    inputs,
    verdicts,
    problems,
    underWay: () => [...open.keys()].filter((name) => !isStanding(name)),
    turnTo(gateway) {
      current = gateway
    },
    aboutToKill() {
      kill.resolve()
      kill = Promise.withResolvers()
    },
    restarted() {
      start.resolve()
      start = Promise.withResolvers()
    },
    async rest(timeoutMs) {
      resting = true
      work = Promise.withResolvers()
      kill.resolve()
      start.resolve()
      for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(50)) {
        if ([...open.keys()].every(isStanding)) return true
      }
      return false
    },
    goOn() {
      resting = false
      work.resolve()
    },
    async stop() {
      stopped = true
      work.resolve()
      for (const { resolve } of ends.values()) resolve()
      await Promise.all(tasks)
    },
  }
}

/** The gateway is gone, or its database is. */
const passing: ReadonlySet<string> = new Set(['gateway_unreachable', 'database_unavailable', 'internal'])

const isStanding = (task: string) => task === 'events' || task.startsWith('conversation ')

/** The first try may have been taken although its answer was lost. */
function unlessItArrived(error: unknown): void {
  if (!(error instanceof CountersignError && error.code === 'conflict')) throw error
}
