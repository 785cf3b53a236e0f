/** Owns how a file of a message is fetched: asked for by its id, read from Slack's own servers with our token, bounded. */
import { z } from 'zod'
import { webCall } from '../frame/web-call.ts'
import type { SlackCall } from './web-api.ts'

const FileInfo = z.looseObject({
  file: z.looseObject({
    size: z.int().min(0).optional(),
    url_private_download: z.string().optional(),
    url_private: z.string().optional(),
  }),
})

const patienceMs = 90_000

export function createFileFetch(parts: {
  readonly asBot: SlackCall
  readonly botToken: string
  readonly isTheirs: (url: string) => boolean
  readonly signal: AbortSignal
}): (ref: string, most: number) => Promise<Uint8Array> {
  return async (ref, most) => {
    const answer = await parts.asBot('files.info', { file: ref })
    if (answer.kind !== 'ok') throw new Error(`Slack does not say where the file is (${answer.kind}).`)
    const { data } = FileInfo.safeParse(answer.data)
    const address = data?.file.url_private_download ?? data?.file.url_private
    if (!data || !address || !parts.isTheirs(address))
      throw new Error('The file is not on the servers of Slack.')
    if ((data.file.size ?? 0) > most) throw new Error(`It is larger than ${most} bytes.`)
    const result = await webCall(address, {
      method: 'GET',
      headers: { authorization: `Bearer ${parts.botToken}` },
      most,
      patienceMs,
      signal: parts.signal,
    })
    if (result.kind !== 'answered') throw new Error(result.problem)
    // Without the right to read files, Slack answers with a page to sign in.
    if (result.status !== 200) throw new Error(`Slack did not give the file (${result.status}).`)
    return result.body
  }
}
