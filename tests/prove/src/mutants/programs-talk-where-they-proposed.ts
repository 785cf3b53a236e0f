/** A program goes on wherever something of it stands. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/programs/place-question.ts',
    from: ".where('agent', '<>', proposalAgent)\n",
    to: ".where('agent', '<>', 'nobody')\n",
  },
])
