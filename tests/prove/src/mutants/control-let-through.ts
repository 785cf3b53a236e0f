/** Statements from outside of the kernel may be of any kind. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/store/handles.ts',
    from: "          refuseControl(text)\n          become('limited')",
    to: "          become('limited')",
  },
])
