/** A change that the operator sealed and took back is sent again; others are too large, or name files elsewhere. */
import type { Attack } from '../attack.ts'
import { levelAfter, sealedChange } from '../policy-scene.ts'

export const attack: Attack = {
  name: 'policy-change-replayed',
  promise: 'A sealed change of policy holds once, for the version that it was made from.',
  mutant: 'policy-base-ignored',
  async run(stage) {
    const scene = await stage.ownScene()
    const { version, document } = await scene.gateway.client.policy()
    const once = sealedChange(scene, version.number, { ...document, autonomy: 'high' })
    const first = await levelAfter(scene, once)
    const back = sealedChange(scene, version.number + 1, { ...document, autonomy: 'low' })
    const second = await levelAfter(scene, back)
    const again = await levelAfter(scene, once)
    const odd = [
      { ...document, files: [{ name: '../outside.cedar', text: '' }] },
      { ...document, files: [{ name: 'large.cedar', text: `//${'x'.repeat(100_000)}` }] },
      {
        ...document,
        files: [
          {
            name: 'deep.cedar',
            text: `permit (principal, action, resource) when { ${'('.repeat(500)}true${')'.repeat(500)} };`,
          },
        ],
      },
    ]
    const refused: string[] = []
    for (const each of odd)
      refused.push(await levelAfter(scene, sealedChange(scene, version.number + 2, each)))
    const { document: after } = await scene.gateway.client.policy()
    return {
      open: again.startsWith('high') || after.files.length > 0,
      control: first.startsWith('high (taken') && second.startsWith('low (taken'),
      saw: [first, second, again, ...refused].join('; ').slice(0, 600),
    }
  },
}
