/** Admission does not look whether the session has a run already. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/lanes/admission.ts',
    from: 'return { session, active }',
    to: 'return { session, active: active && undefined }',
  },
])
