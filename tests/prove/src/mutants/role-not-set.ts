/** Statements from outside of the kernel run under whatever role is there. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/store/handles.ts',
    from: "          refuseControl(text)\n          become('limited')",
    to: '          refuseControl(text)',
  },
])
