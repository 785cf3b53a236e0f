/** Owns what was said in a private chat after a message, where Discord does not tell it again by itself. */
import { pauseAfter } from '../frame/take-in-turn.ts'
import { type DiscordCall, idIn } from './rest.ts'

const pageSize = 100

/** Page by page, in the order in which it was said. It ends where Discord refuses to tell. */
export async function* saidAfter(
  chat: string,
  message: string,
  call: DiscordCall,
  pause: (ms: number) => Promise<void>,
): AsyncGenerator<unknown> {
  let after = idIn(message)
  let failures = 0
  while (after !== undefined && idIn(chat) !== undefined) {
    const answer = await call('GET', `/channels/${chat}/messages?after=${after}&limit=${pageSize}`)
    if (answer.kind === 'refused' || answer.kind === 'unaccepted') return
    if (answer.kind !== 'ok') {
      const asked = answer.kind === 'later' ? answer.afterMs : null
      await pause(asked ?? pauseAfter(failures, 500, 60_000))
      failures += 1
      continue
    }
    const page = (Array.isArray(answer.data) ? answer.data : []).flatMap((one: unknown) => {
      const id = idOf(one)
      return id === undefined ? [] : [{ id, one }]
    })
    page.sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
    for (const { one } of page) yield one
    const last: string | undefined = page.at(-1)?.id
    after = last === after ? undefined : last
  }
}

function idOf(message: unknown): string | undefined {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined
  return typeof id === 'string' ? idIn(id) : undefined
}
