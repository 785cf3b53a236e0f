/** What an agent wrote stays when it is removed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/capabilities/extensions.ts',
    from: 'before.proposals.filter((each) => each.name !== name)',
    to: '[...before.proposals]',
  },
])
