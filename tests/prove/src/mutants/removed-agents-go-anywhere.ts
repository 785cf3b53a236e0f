/** Whoever is removed has no folder any more, and so no limit. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/agents/agent-folder.ts',
    from: 'if (!agent)\n',
    to: 'if (!agent) continue\n        if (!agent)\n',
  },
])
