/** Owns how a request goes to the executor process. */
import type { ChildProcess } from 'node:child_process'
import type { ExecutorRequest } from '@countersign/contract'

/** A channel that closes while it is written to is a lost request, not an error. */
export function post(child: ChildProcess, request: ExecutorRequest, lost: () => void): void {
  if (!child.connected) {
    lost()
    return
  }
  child.send(request, (error) => {
    if (error) lost()
  })
}
