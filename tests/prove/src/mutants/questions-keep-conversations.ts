/** A private conversation stays as long as a run of it waits for somebody. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/history/private.ts',
    from: "runs.id = sessions.active_run_id and runs.state = 'running')",
    to: "runs.id = sessions.active_run_id and runs.state <> 'stopped')",
  },
])
