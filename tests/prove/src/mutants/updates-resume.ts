/** An update lets a server go on that was paused. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'tools/src/servers/add-server.ts', from: 'before?.paused ?? false', to: 'false' },
])
