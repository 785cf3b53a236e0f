/** A branch is looked through by its name, which git may read as another one. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'tools/src/git/git-checkout.ts', from: 'id: branch.id ?? target', to: 'id: target' },
])
