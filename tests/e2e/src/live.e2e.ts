/** What is live in a page, over a connection that breaks again and again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionId } from '@countersign/contract'
import { approve } from '@countersign/harness'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sized } from '../../size.ts'
import { openWindow } from './browser.ts'
import { type Cut, layWire, type Wire } from './cut-socket.ts'
import { hashOf, liveIn } from './page-services.ts'
import { isLive, type PairedPage, pairedPage } from './pairing.ts'
import { seeded } from './random.ts'
import { openScene, type Scene, tell } from './scene.ts'
import { until } from './until.ts'

const disconnects = sized(200, 20)
const compareEvery = 10

let scene: Scene
let entered: PairedPage
let page: Page
let wire: Wire
const random = seeded(20_261_115)

beforeAll(async () => {
  scene = await openScene()
  const context = await openWindow(scene.browser)
  wire = await layWire(context, random)
  entered = await pairedPage(context, scene.installation, scene.gateway, '/chat')
  page = entered.page
})
afterAll(() => scene.close())

test(`after ${String(disconnects)} disconnects the page's state is the gateway's, and nothing is shown twice`, {
  timeout: 1_200_000,
}, async () => {
  const { session } = await tell(scene.gateway, 'watched 0')
  await page.goto(entered.at(`/chat/${session}`))
  await isLive(page)
  const work = keepBusy(session)
  const cuts = new Map<Cut, number>()
  const compared: number[] = []
  for (let done = 1; done <= disconnects; done += 1) {
    const before = wire.connections()
    await sleep(random() * 400)
    const way = await wire.cut()
    cuts.set(way, (cuts.get(way) ?? 0) + 1)
    await until(() => wire.connections() > before, { what: `a connection after cut ${String(done)}` })
    if (done % compareEvery === 0) compared.push(await compare())
  }
  const { messages, others, problems } = await work.stop()
  await until(async () => (await liveIn(page)).state.seq >= (await scene.gateway.client.live()).seq, {
    what: 'the end of the log',
  })
  compared.push(await compare())
  expect(problems).toEqual([])

  await isLive(page)
  const expected = Array.from({ length: messages }, (_, number) => `You said: watched ${String(number)}`)
  const answers = await until(
    async () => {
      const lines = (await page.getByRole('log').innerText()).split('\n')
      return expected.every((line) => lines.includes(line)) && lines.filter((line) => expected.includes(line))
    },
    { what: 'every answer is shown' },
  )
  expect(answers).toHaveLength(messages)
  const { skipped } = await liveIn(page)
  console.log(
    `${String(disconnects)} disconnects (${[...cuts].map(([way, count]) => `${way} ${String(count)}`).join(', ')}), ` +
      `${String(wire.connections())} connections, ${String(messages + others)} runs, ` +
      `${String(compared.length)} equal hashes up to event ${String(compared.at(-1))}, ` +
      `${String(skipped)} events by snapshot`,
  )
})

test('a run that is gone through again shows what was shown while it was live', async () => {
  const first = await scene.tell([{ name: 'list_directory', args: { path: '.' } }])
  await first.ended()
  const { session } = first
  const errand = await scene.tell(
    [
      { name: 'list_directory', args: { path: '.' } },
      { name: 'read_file', args: { path: '/etc/hostname' } },
    ],
    session,
  )
  const [approval] = await errand.waiting()
  await page.goto(entered.at(`/chat/${session}`))
  await page
    .getByRole('log')
    .getByRole('button', { name: /^Approve once/ })
    .first()
    .waitFor()
  await approve(scene.installation, scene.gateway.client, approval?.id ?? '')
  await errand.ended()
  const again = await page.context().newPage()
  await again.goto(entered.at(`/activity/${errand.run}`))
  const replayed = await until(
    async () => {
      const [live, shown] = [await shownIn(page), await shownIn(again)]
      return shown.includes('Got:') && live.endsWith(shown) && shown
    },
    { what: 'the conversation ends with what the replay shows' },
  )
  expect(replayed).toContain('read_file')

  await again.getByRole('slider').press('Home')
  await again.getByText('Before the first event.').waitFor()
  await again.getByRole('slider').press('End')
  await until(async () => (await shownIn(again)) === replayed)
})

/** What is seen at one moment is what the gateway had after the same event. */
async function compare(): Promise<number> {
  const { state } = await until(async () => {
    const live = await liveIn(page)
    return live.link.kind === 'live' && live
  })
  const { hash } = await scene.gateway.client.liveHash(state.seq)
  expect(hashOf(state)).toBe(hash)
  return state.seq
}

/** The conversation in words, without the times, which pass, and without what can be done with a message. */
async function shownIn(on: Page): Promise<string> {
  const text = await on.getByRole('log').innerText()
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(
      (line) =>
        line !== '' && !/^(Copy|Edit|Retry|Read aloud|just now|\d+ \w+( ago)?|in a moment|now)$/.test(line),
    )
    .join('\n')
}

/** Runs that go on meanwhile: answers in the watched conversation, calls and requests in others. */
function keepBusy(session: SessionId) {
  const { client } = scene.gateway
  const problems: string[] = []
  let [messages, others, over] = [1, 0, false]
  const work = (async () => {
    while (!over) {
      try {
        if (messages < 60 && random() < 0.4) {
          await (await tell(scene.gateway, `watched ${String(messages)}`, session)).ended()
          messages += 1
        } else {
          others += 1
          const call = random() < 0.3 ? { path: '/etc/hostname' } : { path: 'missing.txt' }
          const errand = await scene.tell([{ name: 'read_file', args: call }])
          if (call.path !== 'missing.txt')
            for (const { id } of await errand.waiting())
              if (random() < 0.5) await approve(scene.installation, client, id)
              else await client.decide(id, { verdict: 'deny', reason: 'no', stop: false })
          await errand.ended()
        }
      } catch (error) {
        problems.push(String(error))
      }
      await sleep(random() * 300)
    }
  })()
  return {
    async stop() {
      over = true
      await work
      return { messages, others, problems }
    },
  }
}
