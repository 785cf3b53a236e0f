/** An index names the key of a publisher whom people trust, and is signed by nobody or by somebody else. */
import { generateKey } from '@countersign/contract/node'
import type { Attack } from '../attack.ts'
import { openHostedIndex } from '../hosted-index.ts'

export const attack: Attack = {
  name: 'index-names-a-key-of-others',
  promise: 'A key that an index names is kept only where the index is really signed by it.',
  mutant: 'named-keys-are-believed',
  async run(stage) {
    const [trusted, other] = [generateKey(), generateKey()]
    const added = async (signs: typeof other | undefined) => {
      const index = openHostedIndex(stage)
      index.says({ key: trusted.publicKey }, signs)
      return (await index.add()).includes('is added')
    }
    const [byOther, byNobody, honest] = [await added(other), await added(undefined), await added(trusted)]
    return {
      open: byOther || byNobody,
      control: honest,
      saw: `added when signed by another: ${String(byOther)}, by nobody: ${String(byNobody)}`,
    }
  },
}
