/** A checkout is not looked through before it is made. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'tools/src/git/git-checkout.ts', from: 'if (running !== null)', to: 'if (running === undefined)' },
])
