/** Owns a real node of this process, paired by words with a gateway that an attack plays and that was taken over. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  makeTestFolder,
  pairTestNode,
  runTestNode,
  type TestFolder,
} from '../../../../../packages/node/src/testing/paired-node.ts'
import {
  openScriptedGateway,
  type ScriptedGateway,
  type ScriptedLink,
  tellWorld,
} from '../../../../../packages/node/src/testing/scripted-gateway.ts'
import type { Stage } from './stage.ts'

export interface NodeOfGateway {
  readonly gateway: ScriptedGateway
  readonly place: TestFolder
  readonly link: ScriptedLink
}

/** `shared` is within the folder of the test, which holds the node's own folder too. */
export async function nodeOfGateway(
  stage: Stage,
  shared: (place: TestFolder) => string = ({ shared: folder }) => folder,
): Promise<NodeOfGateway> {
  const gateway = await openScriptedGateway()
  stage.afterwards(() => gateway.close())
  const place = makeTestFolder()
  stage.afterwards(() => place.remove())
  writeFileSync(join(place.shared, 'a.txt'), 'one')
  const pairing = await pairTestNode(gateway, { ...place, shared: shared(place) })
  const node = await runTestNode(place, pairing)
  stage.afterwards(() => node.close())
  const link = await gateway.connection()
  tellWorld(gateway, link)
  return { gateway, place, link }
}
