/** Somebody takes a name in a room of Jabber and writes privately from it, by a service or an archive that does not mark that. */
import { createReader } from '../../../../../../packages/channels/src/xmpp/inbound.ts'
import type { XmlElement } from '../../../../../../packages/channels/src/xmpp/xml.ts'
import type { Attack } from '../attack.ts'

const room = 'garden@rooms.example.org'

function message(from: string): XmlElement {
  const body: XmlElement = {
    name: 'body',
    space: 'jabber:client',
    attrs: new Map(),
    children: ['approve K7Q2'],
  }
  const attrs = new Map([
    ['from', from],
    ['type', 'chat'],
  ])
  return { name: 'message', space: 'jabber:client', attrs, children: [body] }
}

export const attack: Attack = {
  name: 'whisper-in-a-room',
  promise: 'A name in a room is nobody’s address, also where nothing marks what it says in private.',
  mutant: 'names-in-rooms-are-people',
  run() {
    const reader = createReader('helper@example.org', (jid) => jid === room)
    const heard = (from: string) =>
      reader.read({ message: message(from), id: 'a1', at: new Date(0).toISOString(), room: null })
    const [whispered, said] = [heard(`${room}/op`), heard('op@example.org/phone')]
    const isProven = said?.type === 'message' && said.sender.proven
    return Promise.resolve({
      open: whispered !== undefined,
      control: isProven,
      saw: whispered === undefined ? 'the name in the room was not heard' : 'it was heard as a person',
    })
  },
}
