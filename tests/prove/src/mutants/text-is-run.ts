/** Code outside of the kernel may have a text run as a statement. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/store/handles.ts',
    from: ' && !runsText.test(text)',
    to: '',
  },
])
