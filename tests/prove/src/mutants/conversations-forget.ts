/** A conversation is worth the same whatever was said in it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/lanes/run-state.ts',
    from: '.set({ active_run_id: null, updated_at: unit.now, label: json(run.label) })',
    to: '.set({ active_run_id: null, updated_at: unit.now, label: json(operatorLabel) })',
  },
])
