/** An approved call is sent to the executor first, and its intent is written when it comes back. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/finish-turn.ts',
    from: 'const subject = subjectOf(approval)',
    to: `const subject = subjectOf(approval)
  if (approval.seal) {
    await ports.executor.execute([{ subject, seal: approval.seal }], new AbortController().signal, () => undefined)
  }`,
  },
])
