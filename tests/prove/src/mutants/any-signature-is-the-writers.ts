/** What any domain signed counts as signed by the writer's, once theirs is there too. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'channels/src/email/sender-proof.ts',
    from: 'dkimAligned?.has(signingDomain.toLowerCase())',
    to: "signingDomain !== ''",
  },
])
