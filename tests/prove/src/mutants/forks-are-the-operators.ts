/** What is sent again is said by whoever sends it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/start.ts',
    from: '    requester,\n    by: actor,',
    to: "    requester: { kind: 'operator', id: actor.id },\n    by: actor,",
  },
])
