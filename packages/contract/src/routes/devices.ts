/** Owns the table of the routes of devices, passkeys and pairing. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  DeviceList,
  PairingInfo,
  PairingInvitation,
  PairingInvited,
  PairingRequestBody,
  PairingRequested,
  PairingRequestView,
  PairingState,
  RegisterPasskey,
  RenameDevice,
} from '../api-devices.ts'
import { DeviceId } from '../ids.ts'
import { SignedStatement } from '../trust-statement.ts'
import { define } from './define.ts'

const requestId = { params: z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) }) }

export const deviceRoutes = {
  pairing: define(
    'get',
    '/v1/pairing',
    'The gateway that a new device would pair with. Needs no signature.',
    PairingInfo,
  ),
  requestPairing: define(
    'post',
    '/v1/pairing/requests',
    'Creates a pairing request that is valid for ten minutes. Signed with the new key only.',
    PairingRequested,
    { body: PairingRequestBody },
  ),
  pairingState: define(
    'get',
    '/v1/pairing/requests/{id}',
    'The result of a pairing request. Needs no signature.',
    PairingState,
    requestId,
  ),
  pairByPasskey: define(
    'post',
    '/v1/pairing/by-passkey',
    'Pairs a new device with a passkey alone. Needs no signature.',
    Receipt,
    { body: SignedStatement },
  ),
  invite: define(
    'post',
    '/v1/pairing/invitations',
    'Lets one device ask to pair at a public origin, once, within five minutes.',
    PairingInvited,
    { body: PairingInvitation },
  ),
  pairingRequests: define(
    'get',
    '/v1/pairing/requests',
    'Pending pairing requests.',
    z.array(PairingRequestView),
  ),
  refusePairing: define(
    'post',
    '/v1/pairing/requests/{id}/refuse',
    'Refuses a pairing request.',
    Receipt,
    requestId,
  ),
  devices: define('get', '/v1/devices', 'All devices and passkeys, including revoked ones.', DeviceList),
  stateDevice: define(
    'post',
    '/v1/devices/statements',
    'Files a signed statement: a device is added, limited or revoked, or a passkey revoked.',
    Receipt,
    { body: SignedStatement },
  ),
  registerPasskey: define(
    'post',
    '/v1/devices/passkeys',
    'Files a passkey with the proof that it was made here.',
    Receipt,
    { body: RegisterPasskey },
  ),
  renameDevice: define('post', '/v1/devices/{id}/rename', 'Renames a device.', Receipt, {
    params: z.object({ id: DeviceId }),
    body: RenameDevice,
  }),
}
