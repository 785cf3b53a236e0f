/** Folders of a goal hold for files that a call names, and not for those that it finds by meaning. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/goals/limits.ts',
    from: "if (resource.type === 'record') return resource.collection === filesCollection",
    to: "if (resource.type === 'record') return resource.collection === `not ${filesCollection}`",
  },
])
