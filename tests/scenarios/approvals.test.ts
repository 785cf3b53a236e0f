import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionId } from '@countersign/contract'
import {
  approvalFor,
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
const outside = () => join(installation.home, 'outside.txt')

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser, lastResults }) => {
      if (lastResults.length > 0) return { text: `Got: ${lastResults[0]?.text}` }
      const [tool = '', target = ''] = lastUser.split(' ')
      if (tool === 'read')
        return { text: 'Let me look.', calls: [{ name: 'read_file', args: { path: target } }] }
      return { text: 'Hm.' }
    },
  })
  gateway = await installation.start()
  writeFileSync(outside(), 'beyond the workspace')
})
afterAll(() => installation.close())

async function say(text: string, session: SessionId | null = null) {
  const admitted = await gateway.client.send({ key: crypto.randomUUID(), session, text, mode: 'auto' })
  return { session: admitted.session, run: admitted.run ?? '' }
}

test('asks before it reads beyond the workspace, and says why', async () => {
  const { run } = await say(`read ${outside()}`)
  const { approvals } = await settledRun(gateway.client, run, 'parked')
  expect(approvals).toMatchObject([
    {
      agentSays: 'Let me look.',
      card: { tier: 2, headline: `Read ${outside()}`, effects: [{ verb: 'read', scope: 'boundary' }] },
      // A file from outside is taken for strangers' words, so no scope could hold for the rest of this conversation.
      options: [{ scope: 'once' }, { scope: 'rule' }],
    },
  ])
  await approve(installation, gateway.client, approvals[0]?.code ?? '')
  expect((await settledRun(gateway.client, run)).run.text).toBe('Got: beyond the workspace')
})

test('does not ask again inside a rule, asks outside it, and again once it is revoked', async () => {
  const { run } = await say(`read ${outside()}`)
  const { approvals } = await settledRun(gateway.client, run, 'parked')
  const code = approvals[0]?.code ?? ''
  const verdict = approvalFor(installation, await gateway.client.approval(code))
  const { grant } = await gateway.client.decide(code, {
    ...verdict,
    grant: { scope: 'rule', stop: 'target', where: 'everywhere', days: 1, maxUses: null },
  } as typeof verdict)
  await settledRun(gateway.client, run)

  const again = await say(`read ${outside()}`)
  expect((await settledRun(gateway.client, again.run)).calls[0]?.decision).toMatchObject({
    kind: 'allow',
    grant,
  })
  const other = await say('read /etc/hostname')
  expect((await settledRun(gateway.client, other.run, 'parked')).run.parkedOn).toBe('approval')
  await gateway.client.stopRun(other.run)

  await gateway.client.revokeGrant(grant ?? '')
  const revoked = await say(`read ${outside()}`)
  expect((await settledRun(gateway.client, revoked.run, 'parked')).run.parkedOn).toBe('approval')
  await gateway.client.stopRun(revoked.run)
})

test('refuses at the executor when the file changed after the approval', async () => {
  writeFileSync(outside(), 'harmless')
  const { run } = await say(`read ${outside()}`)
  const { approvals } = await settledRun(gateway.client, run, 'parked')
  const detail = await gateway.client.approval(approvals[0]?.code ?? '')
  writeFileSync(outside(), 'swapped')
  await gateway.client.decide(detail.approval.id, approvalFor(installation, detail))
  const { calls } = await settledRun(gateway.client, run)
  expect(calls).toMatchObject([{ outcome: 'refused' }])
})

test('never reads its own keys, whoever approves', async () => {
  const { run } = await say(`read ${installation.paths.deviceKey}`)
  const { calls } = await settledRun(gateway.client, run, 'either')
  expect(calls[0]?.outcome).toBe('invalid')
})
