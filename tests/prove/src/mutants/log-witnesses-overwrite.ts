/** A public witness puts a checkpoint in the place of whatever was cosigned last. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/log-witness.ts',
    from: 'if (!kept.advance(seen, note, request.note)) return conflict(kept.latest(note.origin).size)',
    to: 'kept.advance(seen, note, request.note)',
  },
])
