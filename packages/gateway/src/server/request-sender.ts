/** Owns the shape of whoever speaks to the gateway: a device of an operator, and how far it reaches. */
import type { DeviceId, DeviceReach, OperatorId } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'

export interface RequestSender {
  readonly operator: OperatorId
  readonly device: DeviceId
  readonly actor: Actor
  /** The highest tier that the device may decide by itself; one of reach 0 looks only. */
  readonly reach: DeviceReach
}
