/**
 * Without the passkey, a level is lowered in the setup that a rule of the operator waits for, and two changes are sent
 * at once of which each asks more than the policy that both were sent to.
 */
import type { Attack } from '../attack.ts'
import { addPasskey, levelAfter, provenChange, sealedChange } from '../policy-scene.ts'

const waits = 'permit (principal, action, resource) when { context.autonomy == "low" && context.tier <= 2 };'

export const attack: Attack = {
  name: 'policy-loosened-by-a-side-door',
  promise: 'A change is held against the policy that it replaces, by whatever door it comes.',
  mutant: 'policy-loosens-on-the-way',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const passkey = await addPasskey(scene)
    const { version, document } = await client.policy()
    const high = {
      ...document,
      autonomy: 'high' as const,
      files: [{ name: 'mine.cedar', text: waits }],
    }
    const begun = await levelAfter(scene, provenChange(scene, passkey, version.number, high))
    const setUp = await client
      .setUp('safety', { choice: 'custom', level: 'low', monthlyUsd: 0, unattendedUsd: 0 })
      .then(
        () => 'taken',
        (error: unknown) => String(error),
      )
    const throughSetup = (await client.policy()).version.autonomy
    const now = (await client.policy()).version.number
    const raced = await Promise.all([
      levelAfter(scene, sealedChange(scene, now, { ...high, autonomy: 'none', files: [] })),
      levelAfter(scene, sealedChange(scene, now + 1, { ...high, autonomy: 'medium', files: [] })),
    ])
    const { autonomy } = (await client.policy()).version
    // The rule goes first, with nothing that it lets through; what is left asks more by itself.
    const plain = { ...high, autonomy: 'high' as const, files: [] }
    const last = (await client.policy()).version.number
    const proven = await levelAfter(scene, provenChange(scene, passkey, last, plain))
    return {
      open: throughSetup === 'low' || autonomy === 'medium',
      control: begun === 'high (taken)' && proven === 'high (taken)',
      saw: [begun, `setup: ${setUp}`, ...raced, proven].join('; '),
    }
  },
}
