/** A simulation takes every call for one that only the operator led to. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/simulate.ts',
    from: 'factsOf({ ...judged, tool: { ...tool, floor } })',
    to: "factsOf({ ...judged, label: { integrity: 'operator', confidentiality: 'public', sources: [] }, tool: { ...tool, floor } })",
  },
])
