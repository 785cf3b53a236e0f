/**
 * Owns end-to-end encryption: one device with its keys, which live as long as the access token. What changed must be
 * kept before the homeserver hears of it: keys that were used twice protect nothing.
 */
import {
  Attachment,
  DecryptionSettings,
  DeviceId,
  DeviceLists,
  EncryptedAttachment,
  EncryptionSettings,
  initAsync,
  OlmMachine,
  RequestType,
  RoomId,
  StoreHandle,
  TrustRequirement,
  UserId,
} from '@matrix-org/matrix-sdk-crypto-wasm'
import { z } from 'zod'
import { type KeyDump, openKeyStore } from './crypto-store.ts'
import { doneOr, type Homeserver } from './homeserver.ts'

export interface SyncedKeys {
  readonly toDevice: readonly unknown[]
  readonly changed: readonly string[]
  readonly left: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly fallbacks: readonly string[] | null
}

export interface Encryption {
  /** What the homeserver told about devices and keys. */
  receive(keys: SyncedKeys): Promise<void>
  /** Sends what the keys need, and says whether that changed any. Throws where the homeserver cannot be reached. */
  flush(): Promise<boolean>
  /**
   * The content to send in the place of this one. Throws before anything of it is sent. `keep` is called before anybody is
   * handed a key: what was told under a key that is forgotten is told again under the same, and nobody can read it then.
   */
  encrypt(
    room: string,
    members: readonly string[],
    content: object,
    keep: () => Promise<void>,
  ): Promise<unknown>
  /** Undefined where its key is not there (yet), or it was forged. */
  decrypt(
    room: string,
    event: object,
  ): Promise<{ readonly type: string; readonly content: unknown } | undefined>
  /**
   * Signs our device as its owner. Nothing happens where the user has a signature that we do not hold, or where the
   * homeserver wants a password for it. `keep` is called before the homeserver hears of it.
   */
  sign(keep: () => Promise<void>): Promise<void>
  dump(): Promise<KeyDump>
  close(): void
}

export interface EncryptionParts {
  readonly homeserver: Homeserver
  readonly user: string
  readonly device: string
  readonly accessToken: string
  readonly dump: KeyDump | null
}

export async function openEncryption(parts: EncryptionParts): Promise<Encryption> {
  const { homeserver, user, device, accessToken } = parts
  await initAsync()
  const store = await openKeyStore(accessToken, device, parts.dump)
  const handle = await StoreHandle.openWithKey(store.name, store.key)
  const machine = await OlmMachine.initFromStore(new UserId(user), new DeviceId(device), handle)
  machine.roomKeyRequestsEnabled = false
  const anyDevice = () => new DecryptionSettings(TrustRequirement.Untrusted)
  let turn: Promise<unknown> = Promise.resolve()

  /** The keys are used by one after the other. */
  function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = turn.then(work, work)
    turn = mine.catch(() => undefined)
    return mine
  }

  async function flush(): Promise<boolean> {
    const requests = await machine.outgoingRequests()
    for (const request of requests) await post(homeserver, machine, request)
    return requests.length > 0
  }

  return {
    receive: ({ toDevice, changed, left, counts, fallbacks }) =>
      alone(async () => {
        const lists = new DeviceLists(usersOf(changed), usersOf(left))
        const unused = fallbacks ? new Set(fallbacks) : undefined
        const known = new Map(Object.entries(counts))
        await machine.receiveSyncChanges(JSON.stringify(toDevice), lists, known, unused, anyDevice())
      }),
    flush: () => alone(flush),
    async encrypt(room, members, content, keep) {
      const shares = await alone(async () => {
        await machine.updateTrackedUsers(usersOf(members))
        await flush()
        const claim = await machine.getMissingSessions(usersOf(members))
        if (claim) await post(homeserver, machine, claim)
        return machine.shareRoomKey(new RoomId(room), usersOf(members), new EncryptionSettings())
      })
      if (shares.length > 0) await keep()
      return alone(async () => {
        for (const share of shares) await post(homeserver, machine, share)
        const text = await machine.encryptRoomEvent(
          new RoomId(room),
          'm.room.message',
          JSON.stringify(content),
        )
        return JSON.parse(text) as unknown
      })
    },
    decrypt: (room, event) => alone(() => decryptWith(machine, room, event)),
    sign: (keep) => sign(parts, machine, alone, keep),
    dump: () => alone(store.dump),
    close: () => machine.close(),
  }
}

async function decryptWith(
  machine: OlmMachine,
  room: string,
  event: object,
): ReturnType<Encryption['decrypt']> {
  try {
    const settings = new DecryptionSettings(TrustRequirement.Untrusted)
    const decrypted = await machine.decryptRoomEvent(JSON.stringify(event), new RoomId(room), settings)
    return JSON.parse(decrypted.event) as { type: string; content: unknown }
  } catch {
    // Its key may still be on the way; whoever asks tries again.
    return undefined
  }
}

const Owners = z.object({ master_keys: z.record(z.string(), z.unknown()).default({}) })

async function sign(
  { homeserver, user }: EncryptionParts,
  machine: OlmMachine,
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>,
  keep: () => Promise<void>,
): Promise<void> {
  const keys = ['client', 'v3', 'keys']
  const answer = await homeserver.ask('POST', [...keys, 'query'], { body: { device_keys: { [user]: [] } } })
  const isThere = Owners.parse(doneOr(answer)).master_keys[user] !== undefined
  const { hasMaster, hasSelfSigning } = await alone(() => machine.crossSigningStatus())
  if (isThere && !hasSelfSigning) return
  const requests = await alone(() => machine.bootstrapCrossSigning(!hasMaster))
  await keep()
  if (!isThere) {
    const body: unknown = JSON.parse(requests.uploadSigningKeysRequest.body)
    const uploaded = await homeserver.ask('POST', [...keys, 'device_signing', 'upload'], { body })
    if (uploaded.kind === 'refused') return
    doneOr(uploaded)
  }
  const body: unknown = JSON.parse(requests.uploadSignaturesRequest.body)
  await homeserver.ask('POST', [...keys, 'signatures', 'upload'], { body })
}

const usersOf = (ids: readonly string[]): UserId[] =>
  ids.flatMap((id) => {
    try {
      return [new UserId(id)]
    } catch {
      // No id of a user: nobody has keys under it.
      return []
    }
  })

type KeyRequest = Awaited<ReturnType<OlmMachine['outgoingRequests']>>[number]

const paths: Readonly<Partial<Record<RequestType, readonly string[]>>> = {
  [RequestType.KeysUpload]: ['keys', 'upload'],
  [RequestType.KeysQuery]: ['keys', 'query'],
  [RequestType.KeysClaim]: ['keys', 'claim'],
  [RequestType.SignatureUpload]: ['keys', 'signatures', 'upload'],
}

async function post(homeserver: Homeserver, machine: OlmMachine, request: KeyRequest): Promise<void> {
  const body: unknown = JSON.parse(request.body)
  const path = paths[request.type]
  let answer: unknown
  if ('txn_id' in request && request.type === RequestType.ToDevice)
    answer = doneOr(
      await homeserver.ask('PUT', ['client', 'v3', 'sendToDevice', request.event_type, request.txn_id], {
        body,
      }),
    )
  else if (path) answer = doneOr(await homeserver.ask('POST', ['client', 'v3', ...path], { body }))
  // Verification in a room and backups are begun by nobody here.
  else return
  if (request.id !== undefined)
    await machine.markRequestAsSent(request.id, request.type, JSON.stringify(answer))
}

/** What is needed to read an encrypted file. */
export interface EncryptedFile {
  readonly bytes: Uint8Array
  /** As it stands in the message, without the address. */
  readonly info: object
}

export function encryptFile(bytes: Uint8Array): EncryptedFile {
  const encrypted = Attachment.encrypt(bytes)
  return {
    bytes: encrypted.encryptedData,
    info: JSON.parse(encrypted.mediaEncryptionInfo ?? '{}') as object,
  }
}

/** Throws where it was changed on the way. */
export function decryptFile(bytes: Uint8Array, info: object): Uint8Array {
  return Attachment.decrypt(new EncryptedAttachment(bytes, JSON.stringify(info)))
}
