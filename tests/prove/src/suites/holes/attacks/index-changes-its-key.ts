/** Whoever took over the place of an index signs it with a key of theirs, names another key, or signs no more. */
import { generateKey } from '@countersign/contract/node'
import type { Attack } from '../attack.ts'
import { openHostedIndex } from '../hosted-index.ts'

export const attack: Attack = {
  name: 'index-changes-its-key',
  promise: 'The key that an index named at first is the only one that signs it from then on.',
  mutant: 'named-keys-are-forgotten',
  async run(stage) {
    const index = openHostedIndex(stage)
    const [own, other] = [generateKey(), generateKey()]
    const search = () => index.command('extension', 'search')
    index.says({ key: own.publicKey }, own)
    await index.add()
    const taken: string[] = []
    for (const [how, names, signs] of [
      ['signed by another', own, other],
      ['with another key', other, other],
      ['with no key', undefined, other],
      ['not signed', undefined, undefined],
    ] as const) {
      index.says({ version: 2, ...(names ? { key: names.publicKey } : {}), title: how }, signs)
      if ((await search()).includes('house/files')) taken.push(how)
    }
    index.says({ version: 3, key: own.publicKey }, own)
    const honest = await search()
    return {
      open: taken.length > 0,
      control: honest.includes('house/files') || taken.length > 0,
      saw: `taken: ${taken.join(', ') || 'none'}; signed as before: ${String(honest.includes('house/files'))}`,
    }
  },
}
