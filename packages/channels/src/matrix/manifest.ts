/** Owns what Matrix says about itself: a user of the operator's homeserver, with end-to-end encryption. */
import { z } from 'zod'
import { HttpAddress } from '../frame/http-address.ts'
import type { ChannelManifest } from '../frame/manifest.ts'

export const RoomId = z.string().regex(/^![A-Za-z0-9._~:[\]%-]{1,254}$/)

export const MatrixSettings = z.strictObject({
  homeserver: HttpAddress.describe('The address of the homeserver: https://matrix.example.org'),
  rooms: z
    .array(RoomId)
    .max(100)
    .default([])
    .describe('Ids of rooms (!…) with several people into which the assistant may be invited.'),
  encryption: z
    .boolean()
    .default(true)
    .describe('Whether it reads and writes in encrypted rooms. Without, it needs less memory.'),
})
export type MatrixSettings = z.infer<typeof MatrixSettings>

export const matrixManifest: ChannelManifest = {
  kind: 'matrix',
  title: 'Matrix',
  about:
    'Talks on Matrix as a user of your homeserver, in encrypted rooms too. It accepts invitations to direct chats, and to the rooms that you list; of what was said before it came it reads nothing.',
  steps: [
    'Create a user of its own for the assistant on your homeserver.',
    'Log in as that user once, for the assistant alone, and copy the access token. Do not log out there, and use no other client with it: the token and its keys belong together.',
    'Invite it to a direct chat.',
  ],
  settings: MatrixSettings,
  secrets: [
    {
      name: 'accessToken',
      label:
        'Access token (syt_… or mat_…), from the settings of the client in which you logged in as the assistant',
    },
  ],
  // An event has 65,536 bytes, in which a text may stand twice, with escapes and encrypted.
  text: { most: 10_000, unit: 'bytes' },
  files: { most: 25_000_000 },
  can: { edit: true, typing: true, buttons: false, groups: true },
  // A homeserver knows what a device sent by the id of its transaction.
  sendsOnce: true,
  proves: 'sender',
  decides: 2,
  web: false,
  direction: 'both',
}
