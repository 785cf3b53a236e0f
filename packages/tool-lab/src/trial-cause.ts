/** Owns who a trial of a record tool is made for: the operator, in a conversation that there is not. */
import { idFrom, operatorLabel } from '@countersign/contract'
import type { RecordToolContext } from '@countersign/tools'

export const trialCause: NonNullable<RecordToolContext['cause']> = {
  requester: { kind: 'operator', id: 'trial' },
  label: operatorLabel,
  session: idFrom('ses', '0'.repeat(32)),
  run: idFrom('run', '0'.repeat(32)),
  agent: 'assistant',
  goal: null,
}
