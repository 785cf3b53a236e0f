import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Onboarding, SetupStepId, SetupStepOf } from '@countersign/contract'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from './assistant-scenario.ts'

/** A home in which nobody set anything up: no model, no tools beyond those that are on from the start. */
const bare = {
  COUNTERSIGN_MODEL: '',
  COUNTERSIGN_MODEL_URL: '',
  COUNTERSIGN_MODEL_KEY: '',
  COUNTERSIGN_TOOLS: '',
}

let installation: Installation
let gateway: GatewayProcess

beforeEach(async () => {
  installation = await openInstallation({ script: () => ({ text: 'Nobody asks me.' }), environment: bare })
  gateway = await installation.start()
})
afterEach(() => installation.close())

function stepOf<Id extends SetupStepId>(view: Onboarding, id: Id): SetupStepOf<Id> {
  const found = view.steps.find((step) => step.id === id)
  if (!found) throw new Error(`There is no step ${id}.`)
  return found as SetupStepOf<Id>
}

async function progress(state: 'waiting' | 'done' | 'ended') {
  return waitFor(async () => {
    const view = await gateway.client.onboarding()
    const found = stepOf(view, 'action').data.progress
    if (found?.state !== state) throw new Error(`The action is ${JSON.stringify(found)}, not ${state}.`)
    return { view, progress: found }
  })
}

test('leads from an empty home to an approved action, over a kill in the middle', async () => {
  const begin = await gateway.client.onboarding()
  expect(begin).toMatchObject({ settled: 0, total: 8, next: 'check' })

  expect((await gateway.client.setUp('check', {})).next).toBe('you')
  expect(stepOf(await gateway.client.setUp('you', { name: 'Ana' }), 'you').data.name).toBe('Ana')

  const chosen = await gateway.client.setUp('model', { choice: 'demo' })
  expect(stepOf(chosen, 'model').data).toMatchObject({
    current: 'demo/demo',
    chosen: { ref: 'demo/demo', demo: true, usd: 0, price: { input: 0, output: 0 } },
  })

  await gateway.kill()
  gateway = await installation.start()
  expect(await gateway.client.onboarding()).toMatchObject({ settled: 3, next: 'safety' })

  const safe = await gateway.client.setUp('safety', { choice: 'boundaries' })
  expect(stepOf(safe, 'safety').data).toMatchObject({ level: 'medium', monthlyUsd: 10, unattendedUsd: 0 })
  expect((await gateway.client.budgets()).find(({ name }) => name === 'global:month')).toMatchObject({
    limitUsd: 10,
    hard: true,
  })

  await gateway.client.setUp('action', { action: 'draft' })
  const asked = await progress('waiting')
  expect(asked.progress.approval).toMatchObject({ tier: 3, headline: expect.stringContaining('not sent') })

  await gateway.kill()
  gateway = await installation.start()
  const resumed = await progress('waiting')
  expect(resumed.progress.approval?.id).toBe(asked.progress.approval?.id)
  expect(resumed.view.next).toBe('action')

  await approve(installation, gateway.client, asked.progress.approval?.id ?? '')
  const done = await progress('done')
  expect(done.progress.ran).toMatchObject({
    tier: 3,
    undoable: true,
    summary: expect.stringContaining('Nothing was sent'),
  })
  expect(done.view).toMatchObject({ settled: 5, next: 'reach' })

  for (const step of ['reach', 'keep'] as const) await gateway.client.skipSetup(step)
  const recipes = await gateway.client.setUp('recipes', { recipes: [{ id: 'brief', status: 'paused' }] })
  expect(recipes).toMatchObject({ settled: 8, next: null })
  expect(await gateway.client.schedules()).toMatchObject([{ name: 'Morning brief', status: 'paused' }])
  expect((await gateway.client.onboardingSummary()).steps.map(({ state }) => state)).toEqual([
    ...Array<string>(5).fill('done'),
    'skipped',
    'skipped',
    'done',
  ])
  expect((await gateway.client.verifyLedger()).ok).toBe(true)
})

test('tidies a sample folder freely, asks only for the week, and takes it all back', async () => {
  await gateway.client.setUp('model', { choice: 'demo' })
  await gateway.client.setUp('action', { action: 'tidy' })
  const asked = await progress('waiting')
  expect(asked.progress.approval).toMatchObject({ tier: 2 })
  const downloads = join(installation.paths.workspace, 'Sample', 'Downloads')
  expect(readdirSync(downloads).toSorted()).toEqual(['Archives', 'Documents', 'Pictures'])
  await approve(installation, gateway.client, asked.progress.approval?.id ?? '')
  const { progress: done } = await progress('done')
  const run = done.run ?? ''
  await settledRun(gateway.client, run)
  const undone = await gateway.client.undoRun(run)
  await settledRun(gateway.client, undone.run)
  expect(readdirSync(downloads)).toContain('boat-trip.jpg')
})

test('says that a page could not be read, and takes another action then', async () => {
  await gateway.client.setUp('model', { choice: 'demo' })
  await gateway.client.setUp('action', { action: 'page', url: 'https://nowhere.invalid/' })
  const { progress: ended } = await progress('ended')
  expect(ended.problem).toMatch(/Choose again\.$/)
  await gateway.client.setUp('action', { action: 'draft' })
  expect((await progress('waiting')).progress.action).toBe('draft')
})

test('a bad key keeps you on the step and loses nothing', async () => {
  await gateway.client.setUp('you', { name: 'Ana' })
  const bad = {
    choice: 'key',
    kind: 'openai-compatible',
    url: 'http://127.0.0.1:9/v1',
    key: 'sk-wrong-wrong',
  } as const
  await expect(gateway.client.setUp('model', { ...bad, model: 'none' })).rejects.toMatchObject({
    code: 'model_unavailable',
    next: expect.stringMatching(/\S/),
  })
  const view = await gateway.client.onboarding()
  expect(stepOf(view, 'model').state).toBe('todo')
  expect(stepOf(view, 'you').state).toBe('done')
  expect(await gateway.client.providers()).toEqual([])
  expect(await gateway.client.secrets()).toEqual([])
  await expect(gateway.client.skipSetup('model')).rejects.toMatchObject({ code: 'usage' })
})

test('takes a key, tries it at once, and tells model, price and latency', async () => {
  const view = await gateway.client.setUp('model', {
    choice: 'key',
    kind: 'openai-compatible',
    url: `${installation.model.url}/v1`,
    key: 'sk-test-0123456789abcdef',
    model: 'scripted',
  })
  const { chosen } = stepOf(view, 'model').data
  expect(chosen).toMatchObject({ ref: 'openai-compatible/scripted', demo: false })
  expect(chosen?.totalMs).toBeGreaterThan(0)
  expect((await gateway.client.routes()).find(({ purpose }) => purpose === 'chat')).toMatchObject({
    models: ['openai-compatible/scripted'],
  })
  expect(JSON.stringify(view)).not.toContain('sk-test')
})

test('asking for everything holds from the next call on, and after a restart', async () => {
  mkdirSync(dirname(installation.paths.config), { recursive: true })
  writeFileSync(installation.paths.config, JSON.stringify({ port: 0 }))
  await gateway.client.setUp('model', { choice: 'demo' })
  await gateway.client.setUp('safety', { choice: 'everything', monthlyUsd: 3 })
  expect((await gateway.client.status()).autonomy).toBe('none')
  expect(JSON.parse(readFileSync(installation.paths.config, 'utf8'))).toEqual({ port: 0, autonomy: 'none' })
  await gateway.client.setUp('action', { action: 'tidy' })
  expect((await progress('waiting')).progress.approval).toMatchObject({ tier: 0 })
  await gateway.stop()
  gateway = await installation.start()
  expect((await gateway.client.status()).autonomy).toBe('none')
  await expect(gateway.client.setUp('safety', { choice: 'custom' })).rejects.toMatchObject({ code: 'usage' })
})

test('does not change a level that the environment sets', async () => {
  await gateway.stop()
  gateway = await installation.start({ COUNTERSIGN_AUTONOMY: 'low' })
  const { fixed } = stepOf(await gateway.client.onboarding(), 'safety').data
  expect(fixed).toContain('COUNTERSIGN_AUTONOMY')
  await expect(gateway.client.setUp('safety', { choice: 'boundaries' })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(existsSync(installation.paths.config)).toBe(false)
})
