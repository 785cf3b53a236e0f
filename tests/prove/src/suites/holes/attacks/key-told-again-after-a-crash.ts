/** A channel of Matrix dies just as it hands out the key of a room, and hands it out again under a key that was used before. */
import { us } from '../../../../../../packages/channels/src/matrix/testing/platform.ts'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { openMatrixChannel, patienceMs } from '../matrix-channel.ts'

const room = '!fresh:example.org'

export const attack: Attack = {
  name: 'key-told-again-after-a-crash',
  promise: 'Whoever is in an encrypted room can read what is said there, whenever the channel died.',
  mutant: 'keys-are-kept-late',
  async run(stage) {
    const { platform, gateway } = await openMatrixChannel(stage)
    const { homeserver, people } = platform
    const encrypted = ['m.room.encryption', { algorithm: 'm.megolm.v1.aes-sha2' }] as const
    homeserver.addRoom(room, [people.ana.id, us], [[...encrypted]])
    const ben = (membership: string) =>
      homeserver.append(room, people.ben.id, 'm.room.member', { membership }, { state_key: people.ben.id })
    const message = (text: string) => {
      const sent = { key: crypto.randomUUID(), chat: room, thread: null, text } as const
      return { ...sent, format: 'plain' as const, buttons: [], file: null }
    }
    ben('join')
    await gateway.send(message('to both'))
    // Whoever left reads nothing more, so the next message has a new key.
    ben('leave')
    await platform.sends(people.ana, room, { msgtype: 'm.text', body: 'he is gone' })
    await until(
      () => gateway.taken.some((event) => event.type === 'message' && event.text === 'he is gone'),
      patienceMs,
    )
    const { onInbox } = homeserver
    let died: Promise<void> | undefined
    homeserver.onInbox = (user) => {
      if (user === people.ana.id) died ??= gateway.die()
      onInbox(user)
    }
    const again = message('once more')
    await gateway.send(again)
    await died
    homeserver.onInbox = onInbox
    gateway.start()
    await gateway.connected()
    const { kind } = await gateway.send(again)
    const shown = () => platform.shown({ id: room, kind: 'private' }).map(({ text }) => text)
    await until(() => shown().length > 1, patienceMs)
    return {
      open: shown()[1]?.startsWith('Unreadable') ?? false,
      control: died !== undefined && kind === 'sent' && shown()[0] === 'to both',
      saw: `she reads: ${shown().join(', ')}`,
    }
  },
}
