/** A server that says that its tools changed is not asked again. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-connection.ts',
    from: "'notifications/tools/list_changed', () => {\n    state.listed = undefined",
    to: "'notifications/tools/list_changed', () => {\n    void 0",
  },
])
