/** A change was approved for a computer that is away. Then the alarm of the ledger is raised, and the computer comes back. */
import { ledgerOrigin, noteLine, vkeyFor } from '@countersign/contract'
import { gatewayKeyPath, nodeWitnessMeans, readKey, signText } from '@countersign/contract/node'
import { approve } from '@countersign/harness'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { changedBy, changeOn } from '../node-changes.ts'
import { doneWith, nodeOf } from '../node-taken-over.ts'
import type { Scene } from '../stage.ts'

export const attack: Attack = {
  name: 'node-waits-out-an-alarm',
  promise: 'The alarm of the ledger stops what was approved before it and was not sent yet.',
  mutant: 'waiting-permits-hear-no-alarm',
  async run(stage) {
    const scene = await stage.ownScene()
    const { installation, gateway } = scene
    const { client } = gateway
    const owned = await nodeOf(scene, stage, 'away', { look: changedBy, run: doneWith({}) })
    const waiting = async (word: string) => {
      const link = await owned.connect()
      scene.plan(word, [[changeOn('away')]])
      const run = await scene.run(word)
      const [approval] = run.detail.approvals.filter(({ state }) => state === 'pending')
      if (!approval) throw new Error('nothing waits for an approval')
      await link.cut()
      const isAway = async () => !(await client.nodes()).nodes.some(({ online }) => online)
      await until(isAway, 10_000)
      await approve(installation, client, approval.id)
      const isSent = async () =>
        (await client.run(run.id as never)).calls.some(({ state }) => state === 'intended')
      if (!(await until(isSent, 20_000))) throw new Error('the call does not wait for its computer')
      return run
    }
    const before = await waiting('node-before-alarm')
    const sentBefore = (await backWith(scene, owned, before.id)).permits.length
    const during = await waiting('node-during-alarm')
    await client.complainOfLedger({ note: await rewritten(scene), reason: 'I saw another history' })
    const sentDuring = (await backWith(scene, owned, during.id)).permits.length
    return {
      open: sentDuring > 0,
      control: sentBefore === 1 && (await client.ledgerWitnesses()).alarms.length === 1,
      saw: `permits that were sent: ${sentBefore} without an alarm, ${sentDuring} after it`,
    }
  },
}

async function backWith(scene: Scene, owned: Awaited<ReturnType<typeof nodeOf>>, run: string) {
  const link = await owned.connect()
  await scene.settled(run)
  await link.cut()
  return link
}

/** A checkpoint that the gateway would have signed, had its ledger had a million entries. */
async function rewritten({ installation: { identity, paths } }: Scene): Promise<string> {
  const { gateway, operator } = identity.trust
  const name = ledgerOrigin(gateway.id, operator)
  const key = await vkeyFor({ name, raw: gateway.key, signs: 'checkpoints' }, nodeWitnessMeans)
  const text = `${name}\n1000000\n${Buffer.alloc(32, 7).toString('base64')}\n`
  const signature = signText(readKey(gatewayKeyPath(paths)).privateKey, text)
  const id = Buffer.from(key.split('+')[1] ?? '', 'hex')
  return `${text}\n${noteLine(name, id, Buffer.from(signature, 'base64'))}`
}
