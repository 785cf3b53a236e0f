/** What an entry of an index asks for is told as it says it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'cli/src/commands/extension-index.ts', from: '? each : quote(each)', to: '? each : each' },
])
