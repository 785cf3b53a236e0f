import type { Failure } from '@countersign/tools'

export function failed(reason: string): Failure {
  return { kind: 'failed', reason }
}
