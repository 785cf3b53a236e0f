/** A server is let in under the name of one that was used every day and removed; after its first call it looks well tried. */
import type { Attack } from '../attack.ts'
import { openUsedExtensions } from '../used-extensions.ts'

export const attack: Attack = {
  name: 'name-brings-its-former-use',
  promise: 'What was used under a name before something else was let in by it was not that one.',
  mutant: 'former-uses-count',
  async run(stage) {
    const used = await openUsedExtensions(stage)
    for (const day of ['01', '02', '03']) await used.call('send', 'x', `2026-11-${day}T10:00:00.000Z`)
    await used.call('look', 'x', '2026-11-03T10:00:00.000Z')
    await used.call('send', 'x', '2026-11-15T10:00:00.000Z')
    const ofNext = await used.counted('2026-11-14T00:00:00.000Z')
    const ofFirst = await used.counted('2026-10-31T00:00:00.000Z')
    return {
      open: ofNext('send') > 1 || ofNext('look') > 0,
      control: ofNext('send') > 0 && ofFirst('send') === 4 && ofFirst('look') === 1,
      saw: `of the one that came later: ${ofNext('send')} and ${ofNext('look')}; of the first: ${ofFirst('send')} and ${ofFirst('look')}`,
    }
  },
}
