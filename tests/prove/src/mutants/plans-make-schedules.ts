/** Work that an agent with limits began as a plan makes schedules for anybody. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/agents/begun-schedules.ts',
    from: 'if (!writes || tool.hidden) return undefined',
    to: "if (!writes || tool.hidden || run.agent === 'plan') return undefined",
  },
])
