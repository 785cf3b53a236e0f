/** A second node is let in under a name that a person takes for that of the first. */
import { generateKey } from '@countersign/contract/node'
import type { Attack } from '../attack.ts'
import { nodeOf, nodeStatement, signedByHost } from '../node-taken-over.ts'

const alike = ['Atelier', 'ate-lier', 'at\u0435lier', 'ate\u200blier', 'atelier\u202e', 'atelier ']

export const attack: Attack = {
  name: 'node-name-reads-alike',
  promise: 'No node is called so that a card of it could be taken for a card of another one.',
  mutant: 'nodes-are-told-apart-by-signs',
  async run(stage) {
    const scene = await stage.scene()
    await nodeOf(scene, stage, 'atelier')
    const isTaken = (name: string) =>
      scene.gateway.client.stateDevice(signedByHost(scene, nodeStatement(scene, name, generateKey()))).then(
        () => true,
        () => false,
      )
    const taken: string[] = []
    for (const name of alike) if (await isTaken(name)) taken.push(JSON.stringify(name))
    return {
      open: taken.length > 0,
      control: await isTaken('kitchen of the atelier'),
      saw: `beside atelier were let in: ${taken.join(', ') || 'none'}`,
    }
  },
}
