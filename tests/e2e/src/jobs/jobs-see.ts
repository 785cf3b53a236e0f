/** What an operator looks at afterwards, and what they do about it. */
import { readFileSync } from 'node:fs'
import type { BudgetPeriod } from '@countersign/contract'
import { tell } from '../scene.ts'
import { until } from '../until.ts'
import type { Hand } from './hands.ts'
import { type JobGroup, job, type World } from './job.ts'
import { slowly } from './script.ts'

/** Each hand has a period of its own, because all work has one limit for each. */
const periods = { mouse: 'day', keyboard: 'week', touch: 'month' } as const satisfies Record<
  string,
  BudgetPeriod
>

const limitOf = async ({ client, hand }: World) =>
  (await client.budgets()).find(({ name }) => name === `global:${periods[hand]}`)

async function aLimit(world: World) {
  await world.client.setBudget({ scope: 'global', period: periods[world.hand], limitUsd: 40 })
  return `All work, each ${periods[world.hand]}`
}

async function noLimit(world: World): Promise<void> {
  const limit = await limitOf(world)
  if (limit !== undefined) await world.client.removeBudget(limit.name)
}

async function openRun(hand: Hand, words: string): Promise<Hand> {
  await hand.go('Activity')
  await hand.fill('Search runs', words)
  await hand.press({ role: 'link', name: new RegExp(words) })
  await hand.within('article').sees(words)
  return hand.within('article')
}

const wrote = (words: string) => async (world: World) => {
  // A list of runs has only the beginning of what was asked.
  const path = `${words}-${world.hand.slice(0, 2)}.txt`
  return { path, errand: await world.did({ name: 'write_file', args: { path, content: 'hi' } }) }
}

export const seeJobs: JobGroup = {
  name: 'See',
  jobs: [
    job('Bring the summary up to date', {
      given: async ({ client, said, mine }) => {
        await said(mine('something new from the'))
        return (await client.feeds())[0]?.id
      },
      async steps(hand) {
        await hand.menu('Update summary', /^From the ledger/)
      },
      isDone: async ({ client }, before) => (await client.feeds())[0]?.id !== before,
    }),
    job('Undo what a run did', {
      given: wrote('undone'),
      async steps(hand, { path }) {
        await (await openRun(hand, path)).press('Undo…')
        await hand.within('dialog').press('Undo 1')
      },
      isDone: ({ workspace }, { path }) => !workspace.has(path),
    }),
    job('Try a failed run again', {
      async given(world) {
        const text = world.mine('break it, says the')
        await (await tell(world.scene.gateway, text)).ended()
        return text
      },
      async steps(hand, text) {
        await (await openRun(hand, text)).press('Try again')
      },
      isDone: async ({ client }, text) =>
        (await client.runs({})).filter(({ asked }) => asked === text).length === 2,
    }),
    job('Try a run again without effects', {
      given: wrote('forked'),
      async steps(hand, { path }) {
        await (await openRun(hand, path)).press('Try again without effects')
      },
      isDone: async ({ client }, { path, errand }) =>
        (await client.runs({})).some(
          ({ asked, session }) => asked.includes(path) && session !== errand.session,
        ),
    }),
    job('Stop everything that runs', {
      async given({ scene, mine }) {
        await tell(scene.gateway, mine(slowly))
        return tell(scene.gateway, mine(slowly))
      },
      async steps(hand) {
        await hand.go('Activity')
        await hand.press('Stop all')
        await hand.within('dialog').press('Stop all')
      },
      isDone: async ({ client }, { run }) => (await client.run(run)).run.state === 'stopped',
    }),
    job('Pause everything and let it go on', {
      given: () => undefined,
      async steps(hand, _given, { client }) {
        await hand.press('Pause everything')
        await until(async () => (await client.status()).paused !== null, { what: 'the pause' })
        await hand.sees('Everything is paused')
        await hand.press('Resume')
      },
      isDone: async ({ client }) => (await client.status()).paused === null,
    }),
    job('Find an entry in the ledger', {
      given: wrote('sought'),
      async steps(hand, { path }) {
        await hand.go('Ledger')
        await hand.fill('Query', `type:effect.outcome ${path}`)
        await hand.press({ role: 'link', name: new RegExp(path) })
        await hand.sees('Why it happened')
      },
      async isDone({ client }, { errand }, { page }) {
        const seq = Number(/\/ledger\/(\d+)/.exec(page.url())?.[1])
        return (await client.ledgerEntry(seq)).entry.run === errand.run
      },
    }),
    job('Verify the ledger', {
      given: () => undefined,
      async steps(hand) {
        await hand.go('Ledger')
        await hand.press(/erified/)
        await hand.within('dialog').press('Verify now')
        await hand.within('dialog').sees('The ledger is verified')
      },
      isDone: async ({ client }) => (await client.verifyLedger()).ok,
    }),
    job('Take the ledger along', {
      given: () => undefined,
      async steps(hand, _given, { client }) {
        await hand.go('Settings')
        await hand.press('Data')
        const download = hand.page.waitForEvent('download')
        await hand.press('Export the ledger')
        const lines = readFileSync(await (await download).path(), 'utf8')
          .trim()
          .split('\n')
        const { size } = await client.verifyLedger()
        if (lines.length < size / 2)
          throw new Error(`Of ${String(size)} entries ${String(lines.length)} came.`)
      },
      isDone: () => true,
    }),
    job('Set a limit on what may be spent', {
      given: noLimit,
      async steps(hand) {
        await hand.go('Costs')
        await hand.press('Add a limit')
        const window = hand.within('dialog')
        await window.choose('Each', periods[hand.name])
        await window.fill('Dollars', '25')
        await window.press('Save')
      },
      isDone: async (world) => (await limitOf(world))?.limitUsd === 25,
      after: noLimit,
    }),
    job('Change a limit', {
      given: aLimit,
      async steps(hand, limit) {
        await hand.go('Costs')
        await hand.press(`Change the limit: ${limit}`)
        await hand.within('dialog').fill('Dollars', '50')
        await hand.within('dialog').press('Save')
      },
      isDone: async (world) => (await limitOf(world))?.limitUsd === 50,
      after: noLimit,
    }),
    job('Remove a limit', {
      given: aLimit,
      async steps(hand, limit) {
        await hand.go('Costs')
        await hand.press(`Remove the limit: ${limit}`)
        await hand.within('dialog').press('Remove the limit')
      },
      isDone: async (world) => (await limitOf(world)) === undefined,
    }),
  ],
}
