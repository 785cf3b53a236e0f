/** What a model wrote down of a voice note counts as written by whoever spoke. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/chat-speech.ts',
    from: 'return joinLabels(label ?? operatorLabel, written)',
    to: 'return label ?? (written && operatorLabel)',
  },
])
