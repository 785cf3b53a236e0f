/** Every attempt, by what it goes for. */
import type { EscapeAttempt } from './attempt.ts'
import { kernel } from './kernel.ts'
import { processes } from './processes.ts'
import { proxying } from './proxying.ts'
import { reaching } from './reaching.ts'
import { reading } from './reading.ts'
import { writing } from './writing.ts'

export const attempts: readonly (EscapeAttempt & { readonly goal: string })[] = Object.entries({
  reading,
  writing,
  reaching,
  proxying,
  processes,
  kernel,
}).flatMap(([goal, list]) => list.map((attempt) => ({ goal, ...attempt })))
