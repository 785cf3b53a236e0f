/** An agent of the product with a folder makes scheduled tasks for whom it names. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/agents/begun-schedules.ts',
    from: "return tool.name === 'create_scheduled_task' && agent === run.agent",
    to: "return tool.name === 'create_scheduled_task' && (agent === run.agent || true)",
  },
])
