/** What a client needs to prove that it is a paired device. The key itself never leaves its holder. */
import type { DeviceId, GatewayId } from '../ids.ts'

export interface Signer {
  readonly device: DeviceId
  readonly gateway: GatewayId
  /** Ed25519 over the text, base64. */
  sign(text: string): Promise<string>
  /** Whether the gateway that this device was paired with signed the text. */
  proves(text: string, signature: string): Promise<boolean>
  /** SHA-256 of the text, hex. */
  hash(text: string): Promise<string>
  nonce(): string
  now(): Date
}
