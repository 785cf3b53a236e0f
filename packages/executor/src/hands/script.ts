/** Owns the hands on the JavaScript machine. */
import type { ApprovalSubject } from '@countersign/contract'
import type { Hands } from '@countersign/tools'
import { failed } from './failed.ts'

export function scriptHands(_subject: ApprovalSubject): Hands['script'] {
  return { run: async () => failed('There is no JavaScript machine.') }
}
