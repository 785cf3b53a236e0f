import { setTimeout as sleep } from 'node:timers/promises'
import { liveText, type RunId, runStatus } from '@countersign/contract'
import { type Connection, connect, followLive, type LiveFeed } from '@countersign/contract/client'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '../../../../tests/harness/src/index.ts'

let installation: Installation
let gateway: GatewayProcess

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser, lastResults }) => {
      if (lastResults.length > 0) return { text: `Done with ${lastUser}.` }
      if (lastUser.startsWith('send'))
        return { calls: [{ name: 'execute_shell', args: { command: `ln -sfn '/etc/${lastUser}' door` } }] }
      if (lastUser.startsWith('write'))
        return { calls: [{ name: 'write_file', args: { path: 'note.txt', content: lastUser } }] }
      return { text: `You said ${lastUser}.` }
    },
  })
  gateway = await installation.start()
})
afterAll(() => installation.close())

const wait = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined)

/** A client whose every connection can be cut from outside. */
function follow(): { feed: LiveFeed; cut: () => boolean } {
  let current: Connection | null = null
  const feed = followLive({
    client: gateway.client,
    async connect(options) {
      current = await connect({ ...options, url: gateway.url, signer: installation.signer })
      return current
    },
    onChange: () => undefined,
    wait,
    random: () => 0,
  })
  const cut = () => {
    if (current === null) return false
    current.close()
    current = null
    return true
  }
  return { feed, cut }
}

async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const found = look()
    if (found !== undefined && found !== false) return found
    await sleep(10)
  }
  throw new Error('It did not come to that in a minute.')
}

async function say(text: string, session: string | null = null): Promise<{ run: RunId; session: string }> {
  const key = `live-${text}`.padEnd(8, '-')
  const admitted = await gateway.client.send({ key, session: session as never, text, mode: 'auto' })
  if (admitted.run === null) throw new Error('The message waits.')
  return { run: admitted.run, session: admitted.session }
}

describe('what is live', () => {
  test('is the same for a client that was cut off fifty times as for the gateway', async () => {
    const { feed, cut } = follow()
    let cuts = 0
    let working = true
    const cutting = (async () => {
      for (let at = 0; cuts < 50 || working; at += 1) {
        if (cuts < 50 && cut()) cuts += 1
        await sleep((at * 37) % 60)
      }
    })()
    for (let round = 0; round < 6; round += 1) {
      await say(`hello ${round}`)
      const { run } = await say(`write ${round}`)
      const asking = await say(`send ${round}`)
      await settledRun(gateway.client, run)
      const parked = await settledRun(gateway.client, asking.run, 'parked')
      const card = parked.approvals[0]
      if (!card) throw new Error('Nothing was asked.')
      await until(() => feed.view().state.approvals[card.id])
      if (round % 2 === 0) await approve(installation, gateway.client, card.code)
      else await gateway.client.decide(card.code, { verdict: 'deny', reason: 'Not now.', stop: false })
      await settledRun(gateway.client, asking.run)
    }
    working = false
    await cutting
    expect(cuts).toBe(50)

    const told = await gateway.client.liveHash()
    await until(() => feed.view().phase === 'live' && feed.view().seq >= told.seq)
    const { state, seq } = feed.view()
    expect(sha256Hex(liveText(state))).toBe((await gateway.client.liveHash(seq)).hash)
    expect(Object.keys(state.approvals)).toEqual([])
    expect(state.decided.map((each) => each.state).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'approved'),
      ...Array.from({ length: 3 }, () => 'denied'),
    ])
    feed.close()
    await feed.ended
  }, 180_000)

  test('is told as it was after every earlier event, and refused for one to come', async () => {
    const { seq, state, hash } = await gateway.client.live()
    expect(sha256Hex(liveText(state))).toBe(hash)
    expect(await gateway.client.liveHash(0)).toMatchObject({ seq: 0 })
    expect((await gateway.client.liveHash(seq)).hash).toBe(hash)
    await expect(gateway.client.liveHash(seq + 1_000)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('comes back the same after the gateway was started anew', async () => {
    const before = await gateway.client.live()
    await gateway.stop()
    gateway = await installation.start()
    expect((await gateway.client.liveHash(before.seq)).hash).toBe(before.hash)
  })

  test('has a word for each run, and its events can be read on their own', async () => {
    const { run, session } = await say('write once more')
    await settledRun(gateway.client, run)
    const { state } = await gateway.client.live()
    const found = state.runs[run]
    if (!found) throw new Error('The run is not there.')
    expect(runStatus(state, found)).toBe('done')
    const events = await gateway.client.runEvents(run)
    expect(events.map(({ body }) => body.type)).toEqual([
      'input.admitted',
      'run.started',
      'turn.replied',
      'call.decided',
      'call.ended',
      'turn.replied',
      'run.ended',
    ])
    const last = await gateway.client.sessionEvents(session, { limit: 2 })
    expect(last).toEqual(events.slice(-2))
    const earlier = await gateway.client.sessionEvents(session, { before: last[0]?.seq ?? 0, limit: 100 })
    expect(earlier).toEqual(events.slice(0, -2))
    expect(await gateway.client.runEvents(run, { since: events[4]?.seq ?? 0 })).toEqual(events.slice(5))
    expect(await gateway.client.runEvents(`run_${'0'.repeat(32)}`)).toEqual([])
  })

  test('is for paired devices only, and pages are for everybody on this host', async () => {
    const port = new URL(gateway.url).port
    for (const path of ['/v1/live', '/v1/live/hash', `/v1/runs/run_${'0'.repeat(32)}/events`])
      expect((await fetch(`${gateway.url}${path}`)).status).toBe(401)
    const page = await fetch(`${gateway.url}/approvals`, { redirect: 'manual' })
    expect(page.status).toBe(308)
    expect(page.headers.get('location')).toBe(`http://localhost:${port}/approvals`)
  })
})
