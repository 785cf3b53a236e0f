/** An agent is talked into six signs in what it gives to a tool of a server, by which its call stands in no count. */
import type { Attack } from '../attack.ts'
import { openUsedExtensions } from '../used-extensions.ts'

const yesterday = '2026-11-15T10:00:00.000Z'

export const attack: Attack = {
  name: 'words-hide-a-call',
  promise: 'No call of a server is left out of what it was used for by words in it.',
  mutant: 'words-hide-calls',
  async run(stage) {
    const used = await openUsedExtensions(stage)
    await used.call('fine', 'plain words', yesterday)
    for (const text of ['\\u0000', '\\\\u0000', 'x\\u0000y']) await used.call('send', text, yesterday)
    const counted = await used.counted('2026-11-01T00:00:00.000Z')
    return {
      open: counted('send') < 3,
      control: counted('fine') === 1,
      saw: `counted with the signs: ${counted('send')} of 3; without: ${counted('fine')} of 1`,
    }
  },
}
