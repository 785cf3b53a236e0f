/** Owns an installation whose gateway counts what it does, and whose time passes only when it is told to. */
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { connect as connectTo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { EventBody } from '@countersign/contract'
import { type Client, connect, createClient } from '@countersign/contract/client'
import { approvalFor, openInstallation } from '@countersign/harness'
import type { Script } from '@countersign/model-servers'
import type { CountedAct, Measure } from './measures.ts'
import type { Order } from './preload/gateway.ts'
import type { TracedKind } from './preload/trace.ts'
import { openChangeLog } from './written-rows.ts'

export interface CountedInstallation {
  readonly client: Client
  readonly workspace: string
  now(): Date
  /** Counts what is done from the beginning of the work until nothing of it is under way any more. */
  count(work: () => Promise<unknown>): Promise<readonly CountedAct[]>
  pass(ms: number): Promise<void>
  /** Sends a message, and resolves when its run has ended or waits for the operator. */
  say(text: string): Promise<EventBody>
  /** Decides as the operator's own device does, and resolves when the run has ended. */
  approve(asked: EventBody): Promise<EventBody>
  /** The first event from here on that is wanted. */
  event(isWanted: (body: EventBody) => boolean): Promise<EventBody>
  close(): Promise<void>
}

const preloaded = new URL('./preload/gateway.ts', import.meta.url).href
const measureOf: Readonly<Record<TracedKind, Measure>> = {
  transaction: 'transactions',
  statement: 'statements',
  signature: 'signatures',
  verification: 'verifications',
  parse: 'parses',
}

export async function openCountedInstallation(script: Script): Promise<CountedInstallation> {
  const home = mkdtempSync(join(tmpdir(), 'countersign-counted-'))
  const installation = await openInstallation({
    home,
    script,
    nodeArguments: ['--import', `${preloaded}?folder=${encodeURIComponent(home)}`],
    environment: { COUNTERSIGN_TIME_ZONE: 'UTC' },
  })
  const now = () => new Date(Number(readFileSync(join(home, 'now'), 'utf8')))
  const signer = { ...installation.signer, now }
  mkdirSync(installation.paths.workspace, { recursive: true })
  const closing: (() => unknown)[] = [() => installation.close()]
  const close = async () => {
    for (const step of closing.toReversed()) await step()
  }
  try {
    const { url } = await installation.start()
    const orders = await openOrders(join(home, 'orders'))
    closing.push(orders.close)
    const log = await openChangeLog(installation.databaseConnection())
    closing.push(() => log.close())
    await orders.give({ kind: 'stand' })

    const client = createClient({ url, signer })
    const listeners = new Set<(body: EventBody) => void>()
    const failed: EventBody[] = []
    const { close: hangUp } = await connect({
      url,
      signer,
      since: null,
      onFrame(frame) {
        if (frame.type !== 'event') return
        const { body } = frame.event
        if (body.type === 'call.ended' && body.outcome !== 'ok') failed.push(body)
        for (const listener of listeners) listener(body)
      },
    })
    closing.push(hangUp)

    const event: CountedInstallation['event'] = (isWanted) =>
      new Promise((resolve) => {
        const listener = (body: EventBody) => {
          if (!isWanted(body)) return
          listeners.delete(listener)
          resolve(body)
        }
        listeners.add(listener)
      })
    const tracePath = join(home, 'trace')

    return {
      client,
      workspace: installation.paths.workspace,
      now,
      event,
      close,
      pass: (ms) => orders.give({ kind: 'pass', ms }),
      async say(text) {
        const told = event(({ type }) => type === 'run.ended' || type === 'approval.requested')
        await client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
        return told
      },
      async approve(asked) {
        if (asked.type !== 'approval.requested') throw new Error(`Nothing is asked: ${JSON.stringify(asked)}`)
        const told = event(({ type }) => type === 'run.ended')
        const ref = asked.approval.id
        await client.decide(ref, approvalFor({ ...installation, now }, await client.approval(ref)))
        return told
      },
      async count(work) {
        await orders.give({ kind: 'rest' })
        const from = await log.position()
        const before = readFileSync(tracePath).length
        await work()
        await orders.give({ kind: 'rest' })
        // A call that was refused is another journey, and a shorter one.
        if (failed.length > 0) throw new Error(`A call did not succeed: ${JSON.stringify(failed)}`)
        const traced = readFileSync(tracePath).subarray(before).toString().split('\n').slice(0, -1)
        const written = await log.writtenBetween(from, await log.position())
        return [
          ...traced.map((line): CountedAct => {
            const [what = '', text = ''] = line.split('\t')
            return { measure: measureOf[what as TracedKind], text, by: 1 }
          }),
          ...written.flatMap(({ table, rows, bytes }): CountedAct[] => [
            { measure: 'rows', text: table, by: rows },
            { measure: 'bytes', text: table, by: bytes },
            ...(table === 'countersign.events'
              ? [{ measure: 'events' as const, text: table, by: rows }]
              : []),
          ]),
        ]
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Orders {
  give(order: Order): Promise<void>
  /** Lets the gateway's time go on by itself. */
  close(): Promise<void>
}

async function openOrders(path: string): Promise<Orders> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opened = connectTo(path, () => resolve(opened)).once('error', reject)
  })
  const answers = createInterface(socket)[Symbol.asyncIterator]()
  async function give(order: Order): Promise<void> {
    socket.write(`${JSON.stringify(order)}\n`)
    const { value } = await answers.next()
    if (value !== 'done') throw new Error(`The gateway did not obey ${order.kind}: ${String(value)}`)
  }
  return {
    give,
    async close() {
      await give({ kind: 'release' })
      socket.end()
    },
  }
}
