/** An edit takes the call back, whatever was decided about it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/operator-answers.ts',
    from: 'if (!row || !run) throw',
    to: 'if (!run) throw',
  },
  {
    file: 'kernel/src/dispatch/operator-answers.ts',
    from: 'const { id, call_id, session_id: session, run_id } = row',
    to: 'const { id, call_id, session_id: session, run_id } = row ?? seen',
  },
])
