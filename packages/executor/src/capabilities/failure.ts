import type { Failure } from '@countersign/tools'

export function failure(reason: string): Failure {
  return { kind: 'failed', reason }
}
