/** Work that is given away begins as if nothing had led to it, neither the message nor what its agent is told. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'assistant/src/begin-work.ts', from: '      requester,\n      label,\n', to: '      requester,\n' },
  {
    file: 'kernel/src/runs/runs.ts',
    from: 'caller.label = joinLabels(caller.label, preparation.label)',
    to: 'caller.label = joinLabels(caller.label, caller.label)',
  },
])
