/** Owns the table of the routes of passkeys that wait for another one. The answer is a statement like any other. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import { PasskeyRequestView, RequestPasskey } from '../api-passkey-requests.ts'
import { define } from './define.ts'

export const passkeyRequestRoutes = {
  passkeyRequests: define(
    'get',
    '/v1/devices/passkeys/requests',
    'Passkeys that wait for an existing passkey to agree, and what became of them.',
    z.array(PasskeyRequestView),
  ),
  requestPasskey: define(
    'post',
    '/v1/devices/passkeys/requests',
    'Asks that a passkey of this device be added, for five minutes. Replaces an earlier request of the device.',
    PasskeyRequestView,
    { body: RequestPasskey },
  ),
  refusePasskey: define(
    'post',
    '/v1/devices/passkeys/requests/{id}/refuse',
    'Refuses a passkey that waits, or withdraws it.',
    Receipt,
    { params: z.object({ id: PasskeyRequestView.shape.id }) },
  ),
}
