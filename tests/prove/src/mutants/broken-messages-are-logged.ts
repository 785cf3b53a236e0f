/** Whatever a program sends that is no message stands in the log. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/mcp.ts',
    from: 'createMcpServer(parts, program), { onerror })',
    to: 'createMcpServer(parts, program), { onerror: parts.onProblem ?? onerror })',
  },
])
