/** Owns which topic is what. A chat is the topic of its questions; nothing is published but below the base. Pure. */

export interface Topics {
  readonly ask: string
  /** Of `<base>/ask/<room>`. */
  readonly rooms: string
  readonly answer: string
  readonly notice: string
  readonly status: string
  /** The room of a topic of questions, empty for the one without; undefined for any other topic. */
  roomOf(topic: string): string | undefined
  /** Where what is said in a chat is published; undefined where there is no such chat. */
  placeOf(chat: string): string | undefined
}

const longestRoom = 100

export function topicsBelow(base: string): Topics {
  const ask = `${base}/ask`
  const answer = `${base}/answer`
  const notice = `${base}/notice`

  function roomOf(topic: string): string | undefined {
    if (topic === ask) return ''
    if (!topic.startsWith(`${ask}/`)) return undefined
    const room = topic.slice(ask.length + 1)
    return room.length <= longestRoom && /^[^/+#\p{C}]+$/u.test(room) ? room : undefined
  }

  return {
    ask,
    rooms: `${ask}/+`,
    answer,
    notice,
    status: `${base}/status`,
    roomOf,
    placeOf(chat) {
      if (chat === notice) return notice
      const room = roomOf(chat)
      if (room === undefined) return undefined
      return room === '' ? answer : `${answer}/${room}`
    },
  }
}
