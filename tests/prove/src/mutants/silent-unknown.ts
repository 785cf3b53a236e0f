/** An effect that began and whose end nobody saw is recorded as failed, and nobody is asked. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/execute-permits.ts',
    from: "return { ...common, state, outcome: 'unknown',",
    to: "return { ...common, state: state && 'ended', outcome: 'failed',",
  },
])
