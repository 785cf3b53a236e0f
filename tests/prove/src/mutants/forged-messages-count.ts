/** Whatever came in under somebody's name is counted as theirs. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'gateway/src/channels/intake.ts', from: "and c.state <> 'left' and c.at >", to: 'and c.at >' },
])
