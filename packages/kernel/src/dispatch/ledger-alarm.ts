/** Owns what is refused while the alarm of the ledger stands: every call that does more than look. */
import type { KernelMiddleware } from './middleware.ts'

export const ledgerAlarmText =
  'A witness saw another history of the ledger, so nothing runs now but what only looks. The operator has to look at the ledger and clear the alarm; do not try again before.'

export function isStoppedByAlarm(alarm: boolean, tier: number): boolean {
  return alarm && tier > 0
}

/** Before everything else that may refuse a call or answer it. */
export const ledgerAlarmRefusal: KernelMiddleware = {
  name: 'ledger-alarm',
  before: async (_unit, { tier }) => (isStoppedByAlarm(true, tier) ? ledgerAlarmText : undefined),
}
