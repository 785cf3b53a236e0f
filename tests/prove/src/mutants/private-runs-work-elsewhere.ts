/** A private conversation may have automations and coding agents work on its words. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'assistant/src/agents/agent-tools.ts', from: "  'create_scheduled_task',\n", to: '' },
  { file: 'assistant/src/agents/agent-tools.ts', from: "  'run_coding_task',\n", to: '' },
])
