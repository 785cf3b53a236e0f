/** A grant for a host covers whatever goes along with the address. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [{ file: 'policy/src/grants/cover.ts', from: "carries === 'address' && ", to: '' }])
