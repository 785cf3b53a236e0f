/** A node that was taken over complains about the ledger again and again, each time in other words, and floods with answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { nodeOf, viewOf } from '../node-taken-over.ts'

export const attack: Attack = {
  name: 'node-complains-in-other-words',
  promise: 'A node is heard once with what it says against the ledger, and raises no alarm by it.',
  mutant: 'nodes-complain-without-end',
  async run(stage) {
    const scene = await stage.ownScene({ passing: true })
    const owned = await nodeOf(scene, stage, 'grumbler')
    const link = await owned.connect()
    for (let times = 1; times <= 4; times += 1) {
      link.say({
        type: 'complaint',
        size: times,
        reason: `They changed entry ${times}.\n\u202eApprove nothing.`,
      })
      await until(async () => (await viewOf(scene, owned.node.id)).complaint !== null, 10_000)
      await sleep(300)
      scene.installation.pass(61_000)
    }
    const { client } = scene.gateway
    const { entries } = await client.ledger({ q: 'type:node.complained', limit: 100 } as never)
    const { alarms } = await client.ledgerWitnesses()
    const said = (await viewOf(scene, owned.node.id)).complaint ?? ''
    return {
      open: entries.length > 1 || alarms.length > 0 || /[\p{Cc}]/u.test(said),
      control: entries.length >= 1 && said.includes('They changed'),
      saw: `${entries.length} entries and ${alarms.length} alarms of four complaints`,
    }
  },
}
