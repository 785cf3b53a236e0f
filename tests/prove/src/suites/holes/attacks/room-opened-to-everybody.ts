/** A room of Matrix in which only the operator and the assistant are is opened to whoever wants to read: cards go on there. */
import { us } from '../../../../../../packages/channels/src/matrix/testing/platform.ts'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { openMatrixChannel, patienceMs } from '../matrix-channel.ts'

export const attack: Attack = {
  name: 'room-opened-to-everybody',
  promise: 'Nothing that is for one person goes to a room that others can come into or read.',
  mutant: 'rooms-of-two-are-private',
  async run(stage) {
    const { platform, gateway } = await openMatrixChannel(stage)
    const { homeserver, people } = platform
    const room = '!ours:example.org'
    homeserver.addRoom(room, [people.ana.id, us])
    const says = (text: string) => platform.sends(people.ana, room, { msgtype: 'm.text', body: text })
    const kindOf = async (text: string) => {
      const found = () => gateway.taken.find((event) => event.type === 'message' && event.text === text)
      await until(() => found() !== undefined, patienceMs)
      return found()?.chat.kind
    }
    const card = async () => {
      const sent = { key: crypto.randomUUID(), chat: room, thread: null, text: 'A card.' } as const
      return (await gateway.send({ ...sent, format: 'plain', buttons: [], file: null, alone: true })).kind
    }
    await says('between us')
    const before = `${await kindOf('between us')}, ${await card()}`
    homeserver.append(room, people.ana.id, 'm.room.join_rules', { join_rule: 'public' }, { state_key: '' })
    const sent = await card()
    await says('before everybody')
    const heard = await kindOf('before everybody')
    return {
      open: sent === 'sent' || heard === 'private',
      control: before === 'private, sent' && heard !== undefined,
      saw: `before: ${before}; after: ${heard}, ${sent}`,
    }
  },
}
