/** Owns how a file of a message is fetched: its address is asked for anew, since Discord's addresses last a day. */
import { z } from 'zod'
import { webCall } from '../frame/web-call.ts'
import type { DiscordCall } from './rest.ts'

const Attachments = z.array(
  z.looseObject({ id: z.string(), url: z.string(), size: z.int().min(0).optional() }),
)
const Message = z.looseObject({
  attachments: Attachments.optional(),
  message_snapshots: z
    .array(z.looseObject({ message: z.looseObject({ attachments: Attachments.optional() }) }))
    .nullish(),
})

const patienceMs = 90_000

export function createFileFetch(parts: {
  readonly call: DiscordCall
  readonly isTheirs: (url: string) => boolean
  readonly signal: AbortSignal
}): (ref: string, most: number) => Promise<Uint8Array> {
  return async (ref, most) => {
    const [, channel, message, id] = /^(\d{1,20})\/(\d{1,20})\/(\d{1,20})$/.exec(ref) ?? []
    if (!channel || !message || !id) throw new Error('That is no file of Discord.')
    const answer = await parts.call('GET', `/channels/${channel}/messages/${message}`)
    if (answer.kind !== 'ok') throw new Error(answer.problem)
    const { data } = Message.safeParse(answer.data)
    const all = [
      ...(data?.attachments ?? []),
      ...(data?.message_snapshots ?? []).flatMap((one) => one.message.attachments ?? []),
    ]
    const file = all.find((one) => one.id === id)
    if (!file || !parts.isTheirs(file.url)) throw new Error('The file is not on the servers of Discord.')
    if ((file.size ?? 0) > most) throw new Error(`It is larger than ${most} bytes.`)
    const { signal } = parts
    const result = await webCall(file.url, { method: 'GET', most, patienceMs, signal })
    if (result.kind !== 'answered') throw new Error(result.problem)
    if (result.status !== 200) throw new Error(`Discord did not give the file (${result.status}).`)
    return result.body
  }
}
