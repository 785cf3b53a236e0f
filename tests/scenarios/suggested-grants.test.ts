import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
const outside = () => join(installation.home, 'scans.csv')

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser, lastResults }) =>
      lastResults.length > 0
        ? { text: `Got: ${lastResults[0]?.text}` }
        : { text: 'Let me look.', calls: [{ name: 'read_file', args: { path: lastUser } }] },
  })
  gateway = await installation.start()
  writeFileSync(outside(), 'one,two')
})
afterAll(() => installation.close())

async function say(text: string): Promise<string> {
  const { run } = await gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
  return run ?? ''
}

async function askedAndApproved(): Promise<void> {
  const run = await say(outside())
  const { approvals } = await settledRun(gateway.client, run, 'parked')
  await approve(installation, gateway.client, approvals[0]?.code ?? '')
  await settledRun(gateway.client, run)
}

test('suggests what asked three times, creates it as it says, and does not ask again', async () => {
  await askedAndApproved()
  await askedAndApproved()
  expect(await gateway.client.suggestedGrants()).toEqual([])
  await askedAndApproved()
  const [suggestion, ...others] = await gateway.client.suggestedGrants()
  expect(others).toEqual([])
  expect(suggestion).toMatchObject({ tool: 'read_file', stop: 'call', untrusted: false, answers: 3, of: 3 })
  expect(suggestion?.examples.map(({ headline }) => headline)).toEqual(
    Array.from({ length: 3 }, () => `Read ${outside()}`),
  )

  await expect(gateway.client.takeSuggestion('0'.repeat(16))).rejects.toMatchObject({ code: 'not_found' })
  const taken = await gateway.client.takeSuggestion(suggestion?.id ?? '')
  expect(taken.sentence).toBe(suggestion?.sentence)
  expect(await gateway.client.grants()).toMatchObject([
    { id: taken.grant, sentence: taken.sentence, state: 'active', uses: 0, agent: 'assistant' },
  ])
  expect(await gateway.client.suggestedGrants()).toEqual([])

  const { calls } = await settledRun(gateway.client, await say(outside()))
  expect(calls[0]).toMatchObject({ outcome: 'ok', decision: { kind: 'allow', grant: taken.grant } })
  expect((await gateway.client.grants())[0]).toMatchObject({ uses: 1 })
})
