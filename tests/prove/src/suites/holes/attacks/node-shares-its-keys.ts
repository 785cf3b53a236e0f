/** A node shares the folder in which its own key is, and a gateway that was taken over reads it with its own key alone. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { approvedPermit } from '../../../../../../packages/node/src/testing/scripted-gateway.ts'
import type { Attack } from '../attack.ts'
import { type NodeOfGateway, nodeOfGateway } from '../node-of-a-gateway.ts'

const secret = 'the key that seals'

export const attack: Attack = {
  name: 'node-shares-its-keys',
  promise: 'No folder is shared that holds the keys of the node, or of the gateway on the same computer.',
  mutant: 'nodes-share-everything',
  async run(stage) {
    const honest = await nodeOfGateway(stage)
    const read = await readBy(honest, 'a.txt')
    let got = 'it was not paired'
    try {
      const all = await nodeOfGateway(stage, (place) => {
        // As on the computer of the gateway, where the data of both are in one folder.
        mkdirSync(join(place.folder, 'device'))
        writeFileSync(join(place.folder, 'device', 'device.key'), secret)
        return place.folder
      })
      got = await readBy(all, 'device/device.key')
    } catch (error) {
      got = String(error)
    }
    return {
      open: got === secret,
      control: read === 'one',
      saw: `of the key of the operator's device: ${got.slice(0, 150)}`,
    }
  },
}

/** With the gateway's own key. */
async function readBy({ gateway, link }: NodeOfGateway, path: string): Promise<string> {
  const wish = { tool: 'device_read_file', args: { node: 'laptop', path }, sealBy: 'gateway' as const }
  try {
    const reply = await link.execute(await approvedPermit(gateway, link, wish))
    return reply.kind === 'done' ? reply.result.text : reply.kind
  } catch (error) {
    return String(error)
  }
}
