/** A room in which the channel is counts as a person where nothing marks it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'channels/src/xmpp/inbound.ts',
    from: 'isRoom(from) || childOf(',
    to: 'childOf(',
  },
])
