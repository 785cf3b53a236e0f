/** An undo stands in the conversation as words of the operator that quote what a model wrote. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/undo-note.ts',
    from: 'const what = calls.map(({ id, tool }) => `${tool} (${id})`)',
    to: 'const what = calls.map(({ headline }) => headline)',
  },
  {
    file: 'kernel/src/runs/operator-runs.ts',
    from: ".select(['id', 'undo', 'tool'])",
    to: ".select(['id', 'undo', 'tool', 'headline'])",
  },
  {
    file: 'kernel/src/runs/operator-runs.ts',
    from: 'label: joinLabels(run.label, noteLabel) }',
    to: 'label: null }',
  },
])
