/** A run may have any number of tasks under way. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/agents/start-agent-task.ts',
    from: 'if (underWay.filter(({ task }) => task.parent === cause.run).length >= mostTasksOfRun)',
    to: 'if (underWay.length > 1_000)',
  },
])
