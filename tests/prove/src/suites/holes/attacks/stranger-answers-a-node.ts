/** At the address of the gateway a stranger answers, who has another key: the node would tell them what it can do and take their word. */
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKey } from '@countersign/contract/node'
import {
  makeTestFolder,
  pairTestNode,
  runTestNode,
} from '../../../../../../packages/node/src/testing/paired-node.ts'
import { openScriptedGateway } from '../../../../../../packages/node/src/testing/scripted-gateway.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'stranger-answers-a-node',
  promise: 'A node says nothing to a gateway that does not prove the key that the words bound.',
  mutant: 'nodes-believe-any-gateway',
  async run(stage) {
    const gateway = await openScriptedGateway()
    stage.afterwards(() => gateway.close())
    const place = makeTestFolder()
    stage.afterwards(() => place.remove())
    const pairing = await pairTestNode(gateway, place)
    gateway.linkKey = generateKey()
    const node = await runTestNode(place, pairing)
    stage.afterwards(() => node.close())
    const heard = gateway.connection()
    const told = await Promise.race([
      heard.then(({ ready }) => `it told what it can do in ${ready.advert.folder}`),
      node.reached('waiting'),
    ])
    const isOpen = told.startsWith('it told')
    gateway.linkKey = gateway.gatewayKey
    const control = isOpen || (await Promise.race([heard.then(() => true), sleep(10_000, false)]))
    return { open: isOpen, control, saw: told }
  },
}
