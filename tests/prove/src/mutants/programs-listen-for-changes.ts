/** A program may listen for changes of its tools, of which there are none, on as many streams as it likes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/programs/mcp/mcp-server.ts',
    from: 'const capabilities = { tools: { listChanged: false } }',
    to: 'const capabilities = { tools: { listChanged: true } }',
  },
])
