/** A phone that was taken over complains of a ledger that it made up, so that nothing of the operator's runs any more. */
import { createHash } from 'node:crypto'
import { generateKey } from '@countersign/contract/node'
import type { Attack } from '../attack.ts'
import { otherHistory, raiseAlarm } from '../other-history.ts'
import { pairPhone } from '../phone.ts'

export const attack: Attack = {
  name: 'complaint-without-a-signature',
  promise: 'The alarm of the ledger is raised by a checkpoint that the gateway signed, and by nobody’s word.',
  mutant: 'witnesses-take-any-key',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const phone = await pairPhone(scene)
    const root = createHash('sha256').update('made up').digest()
    const answers = await Promise.all(
      [forgedBy(scene.installation, root), ''].map((note) =>
        phone.complainOfLedger({ note, reason: 'it forked' }).then(
          ({ result }) => result,
          (error: Error) => error.message,
        ),
      ),
    )
    const { alarms } = await client.ledgerWitnesses()
    scene.plan('write-one', [[{ name: 'write_file', args: { path: 'one.txt', content: 'x' } }]])
    const { detail } = await scene.run('write-one')
    const isStopped = detail.calls[0]?.outcome !== 'ok'
    const real = alarms.length > 0 ? 'raised' : await raiseAlarm(scene, phone)
    return {
      open: alarms.length > 0 || isStopped,
      control: real === 'raised',
      saw: `the phone was told: ${answers.join('; ')}; with the key of the gateway: ${real}`,
    }
  },
}

/** In every line as the gateway would write it, and signed by somebody else. */
function forgedBy(installation: Parameters<typeof otherHistory>[0], root: Uint8Array): string {
  const genuine = otherHistory(installation, { size: 3, root })
  const forged = otherHistory(installation, { size: 3, root, signer: generateKey() })
  const idOf = (note: string) => Buffer.from(note.trimEnd().split(' ').at(-1) ?? '', 'base64')
  const line = Buffer.concat([idOf(genuine).subarray(0, 4), idOf(forged).subarray(4)])
  return `${genuine.slice(0, genuine.trimEnd().lastIndexOf(' ') + 1)}${line.toString('base64')}\n`
}
