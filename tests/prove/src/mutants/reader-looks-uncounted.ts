/** A reader looks as often as it likes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'policy/src/reader.ts', from: 'soFar.looks >= mostReaderLooks', to: 'soFar.looks < 0' },
])
