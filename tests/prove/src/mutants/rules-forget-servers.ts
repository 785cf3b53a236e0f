/** A rule that names a server and its tool is never told of them. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'policy/src/facts.ts', from: '  context.serverTool = tool\n', to: '  void tool\n' },
])
