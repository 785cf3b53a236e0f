/** Whatever a coding agent asks for is permitted. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/coding-agents/conversation.ts',
    from: "const wanted = isInside ? 'allow_once' : 'reject_once'",
    to: "const wanted = 'allow_once'",
  },
])
