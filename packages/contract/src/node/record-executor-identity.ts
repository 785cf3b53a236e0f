/** Owns who runs record tools: the gateway itself, under an identity that anybody who trusts the gateway can work out. */
import { type ExecutorId, type GatewayId, idFrom } from '../ids.ts'
import { fingerprint } from './keys.ts'

export interface RecordExecutorIdentity {
  readonly executor: ExecutorId
  /** The fingerprint of the gateway's key. */
  readonly key: string
}

export function recordExecutorIdentity(gateway: {
  readonly id: GatewayId
  readonly key: string
}): RecordExecutorIdentity {
  return {
    executor: idFrom('exe', gateway.id.slice(gateway.id.indexOf('_') + 1)),
    key: fingerprint(gateway.key),
  }
}
