/** Proposals are looked at side by side, and each sees only those that are over. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/programs/propose-call.ts',
    from: 'await takeTurn(tx, program.name)\n    await requireWithin(tx, program, zone)',
    to: 'void [takeTurn, requireWithin, zone]',
  },
])
