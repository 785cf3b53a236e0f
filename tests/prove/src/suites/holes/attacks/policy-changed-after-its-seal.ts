/** The operator seals a change that asks more. On the way it becomes one that asks less, or is sealed by nobody's key. */
import { generateKey } from '@countersign/contract/node'
import type { Attack } from '../attack.ts'
import { levelAfter, sealedChange } from '../policy-scene.ts'

export const attack: Attack = {
  name: 'policy-changed-after-its-seal',
  promise: 'A change of policy is what the operator sealed, to the byte, or it is not made.',
  mutant: 'policy-seal-unread',
  async run(stage) {
    const scene = await stage.ownScene()
    const { version, document } = await scene.gateway.client.policy()
    const wide = {
      name: 'wide.cedar',
      text: 'permit (principal, action, resource) when { context.tier <= 2 };',
    }
    const honest = sealedChange(scene, version.number, { ...document, autonomy: 'low' })
    const tries = [
      { ...honest, document: { ...document, autonomy: 'full' as const } },
      { ...honest, document: { ...honest.document, files: [wide] } },
      { ...honest, seal: { ...honest.seal, decidedAt: '2999-01-01T00:00:00.000Z' } },
      sealedChange(scene, version.number, { ...document, autonomy: 'full' }, generateKey()),
    ]
    const seen: string[] = []
    for (const change of tries) seen.push(await levelAfter(scene, change))
    const { document: after } = await scene.gateway.client.policy()
    const open = after.autonomy !== document.autonomy || after.files.length > document.files.length
    const control = open || (await levelAfter(scene, honest)).startsWith('low (taken')
    return { open, control, saw: seen.join('; ') }
  },
}
