/** A grant of a private conversation is one as any other. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/approvals/grants.ts',
    from: "if (isPrivate && terms.where !== 'session' && terms.where !== 'run')",
    to: "if (isPrivate && terms.where === 'goal')",
  },
])
