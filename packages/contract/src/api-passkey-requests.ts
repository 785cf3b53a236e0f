/**
 * Owns the shapes of a passkey that waits for another one: made on a paired device at a name where no passkey works
 * yet, and agreed to on a device where one does. Both show the same six words.
 */
import { z } from 'zod'
import { RegisterPasskey } from './api-devices.ts'
import { DeviceId } from './ids.ts'
import { PasskeyStatement } from './trust-statement.ts'

const Id = z.string().regex(/^[0-9a-f]{32}$/)
const { credential, key, name, site } = PasskeyStatement.shape
const described = {
  credential,
  key,
  /** Without control characters and halves of characters. */
  name: name.regex(/^[^\p{Cc}\p{Cs}]*$/u),
  site,
}

export const RequestPasskey = z.strictObject({
  ...described,
  registration: RegisterPasskey.shape.registration,
})
export type RequestPasskey = z.infer<typeof RequestPasskey>

/** Whoever may agree makes the words itself, with the key of the device as it is believed. */
export const PasskeyRequestView = z.strictObject({
  id: Id,
  /** Which device made it. */
  device: DeviceId,
  ...described,
  state: z.enum(['waiting', 'approved', 'refused']),
  createdAt: z.string(),
  expiresAt: z.string(),
})
export type PasskeyRequestView = z.infer<typeof PasskeyRequestView>

export interface RequestedPasskey {
  readonly gatewayKey: string
  readonly deviceKey: string
  readonly site: string
  readonly credential: string
  readonly key: string
}

/** What two screens show for the same passkey. Whoever passes it on can replace no part of it. */
export function passkeyRequestText(about: RequestedPasskey): string {
  const { gatewayKey, deviceKey, site, credential: id, key: made } = about
  return ['countersign/passkey-request/v1', gatewayKey, deviceKey, site, id, made].join('\0')
}
