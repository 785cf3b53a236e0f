/** Work that an agent with limits began as a plan makes schedules for anybody. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/agents/begun-schedules.ts',
    from: 'if (!writes || isProductCall(tool)) return undefined',
    to: "if (!writes || isProductCall(tool) || run.agent === 'plan') return undefined",
  },
])
