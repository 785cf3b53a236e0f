/** Between a new node and its gateway somebody names a device of their own as the one to believe, and approves with it. */
import { randomUUIDv7 } from 'node:crypto'
import { idFrom, statementText } from '@countersign/contract'
import { generateKey, signText } from '@countersign/contract/node'
import { makeTestFolder, pairTestNode } from '../../../../../../packages/node/src/testing/paired-node.ts'
import { openScriptedGateway } from '../../../../../../packages/node/src/testing/scripted-gateway.ts'
import type { Attack } from '../attack.ts'
import type { Stage } from '../stage.ts'

export const attack: Attack = {
  name: 'middleman-pairs-a-node',
  promise:
    'A new node shows other words than its host where anybody but the host’s own device would be believed.',
  mutant: 'words-bind-no-device',
  async run(stage) {
    const honest = await wordsOfPairing(stage, false)
    const attacked = await wordsOfPairing(stage, true)
    return {
      open: attacked.same,
      control: honest.same && honest.isPaired,
      saw: `with a device of somebody else the words were ${attacked.same ? 'the same' : 'others'}`,
    }
  },
}

async function wordsOfPairing(
  stage: Stage,
  isAttacked: boolean,
): Promise<{ readonly same: boolean; readonly isPaired: boolean }> {
  const gateway = await openScriptedGateway()
  stage.afterwards(() => gateway.close())
  const place = makeTestFolder()
  stage.afterwards(() => place.remove())
  const own = { id: idFrom('dev', randomUUIDv7()), keys: generateKey() }
  if (isAttacked)
    gateway.info = {
      ...gateway.info,
      root: { ...gateway.info.root, device: own.id, key: own.keys.publicKey },
    }
  let same = false
  const pairing = await pairTestNode(gateway, place, (words) => {
    // The host shows those of its own device.
    same = words.join(' ') === gateway.words().join(' ')
    const signed = gateway.approve('laptop')
    if (!isAttacked) return
    const signature = signText(own.keys.privateKey, statementText(signed.statement))
    Object.assign(signed, { by: { device: own.id, signature } })
  })
  return { same, isPaired: pairing.name === 'laptop' }
}
