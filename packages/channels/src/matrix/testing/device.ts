/** Owns the device of a person in the tests: the same library as ours on the other side, with keys of its own. */
import {
  DecryptionSettings,
  DeviceId,
  DeviceLists,
  EncryptionSettings,
  initAsync,
  OlmMachine,
  RequestType,
  RoomId,
  TrustRequirement,
  UserId,
} from '@matrix-org/matrix-sdk-crypto-wasm'
import type { StoredEvent, TestHomeserver } from './homeserver.ts'

export interface TestDevice {
  encrypt(room: string, members: readonly string[], content: object): Promise<object>
  decrypt(room: string, event: StoredEvent): Promise<StoredEvent['content']>
  /** Reads what came to it. */
  receive(): Promise<void>
}

export async function openTestDevice(
  homeserver: TestHomeserver,
  user: string,
  device: string,
): Promise<TestDevice> {
  await initAsync()
  const machine = await OlmMachine.initialize(new UserId(user), new DeviceId(device))
  let turn: Promise<unknown> = Promise.resolve()
  function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = turn.then(work, work)
    turn = mine.catch(() => undefined)
    return mine
  }

  async function post(request: Awaited<ReturnType<OlmMachine['outgoingRequests']>>[number]): Promise<void> {
    const paths: Partial<Record<RequestType, string>> = {
      [RequestType.KeysUpload]: 'keys\nupload',
      [RequestType.KeysQuery]: 'keys\nquery',
      [RequestType.KeysClaim]: 'keys\nclaim',
    }
    const body: unknown = JSON.parse(request.body)
    const path = paths[request.type]
    const answer =
      'event_type' in request
        ? homeserver.act(user, 'PUT', `sendToDevice\n${request.event_type}`, body)
        : homeserver.act(user, 'POST', path ?? '', body)
    if (request.id !== undefined)
      await machine.markRequestAsSent(request.id, request.type, JSON.stringify(answer))
  }

  async function flush(): Promise<void> {
    for (const request of await machine.outgoingRequests()) await post(request)
  }

  async function receive(): Promise<void> {
    const events = JSON.stringify(homeserver.takeInbox(user))
    const counts = new Map(Object.entries(homeserver.counts(user)))
    const settings = new DecryptionSettings(TrustRequirement.Untrusted)
    await machine.receiveSyncChanges(events, new DeviceLists([], []), counts, undefined, settings)
    await flush()
  }

  await receive()
  return {
    receive: () => alone(receive),
    encrypt: (room, members, content) =>
      alone(async () => {
        const users = () => members.map((id) => new UserId(id))
        await machine.updateTrackedUsers(users())
        // Others may have got their keys since.
        await post(machine.queryKeysForUsers(users()))
        await flush()
        const claim = await machine.getMissingSessions(users())
        if (claim) await post(claim)
        for (const share of await machine.shareRoomKey(new RoomId(room), users(), new EncryptionSettings()))
          await post(share)
        const text = await machine.encryptRoomEvent(
          new RoomId(room),
          'm.room.message',
          JSON.stringify(content),
        )
        return JSON.parse(text) as object
      }),
    decrypt: (room, event) =>
      alone(async () => {
        await receive()
        const settings = new DecryptionSettings(TrustRequirement.Untrusted)
        const decrypted = await machine.decryptRoomEvent(
          JSON.stringify({ ...event, room_id: room }),
          new RoomId(room),
          settings,
        )
        return (JSON.parse(decrypted.event) as StoredEvent).content
      }),
  }
}
