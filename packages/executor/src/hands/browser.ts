/** Owns the hands on the browser: the page of the session, and the hosts that the permit names. */
import type { ApprovalSubject } from '@countersign/contract'
import type { Hands } from '@countersign/tools'
import { failed } from './failed.ts'

export function browserHands(_subject: ApprovalSubject): Hands['browser'] {
  return { act: async () => failed('There is no browser.') }
}
