/** Owns what people and channels of a workspace are called. It remembers a bounded number, and does without when Slack does not say. */
import { z } from 'zod'
import type { SlackCall } from './web-api.ts'

export interface SlackDirectory {
  /** Their id where they have no name. */
  person(id: string): Promise<string>
  people(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  channel(id: string): Promise<string>
}

const most = 2_000

const Profile = z.looseObject({
  user: z.looseObject({
    name: z.string().optional(),
    real_name: z.string().optional(),
    profile: z.looseObject({ display_name: z.string().optional() }).optional(),
  }),
})
const Conversation = z.looseObject({ channel: z.looseObject({ name: z.string().optional() }) })

export function createSlackDirectory(asBot: SlackCall): SlackDirectory {
  const known = new Map<string, string>()

  async function named(
    id: string,
    method: string,
    args: Readonly<Record<string, string>>,
    nameIn: (data: unknown) => string | undefined,
  ): Promise<string> {
    const before = known.get(id)
    if (before !== undefined) return before
    const answer = await asBot(method, args)
    // What could not be asked now is asked again.
    if (answer.kind !== 'ok' && answer.kind !== 'refused') return id
    const name = (answer.kind === 'ok' ? nameIn(answer.data) : undefined) || id
    const [oldest] = known.keys()
    if (known.size >= most && oldest !== undefined) known.delete(oldest)
    known.set(id, name)
    return name
  }

  const person = (id: string) =>
    named(id, 'users.info', { user: id }, (data) => {
      const user = Profile.safeParse(data).data?.user
      return user?.profile?.display_name || user?.real_name || user?.name
    })

  return {
    person,
    async people(ids) {
      return new Map(await Promise.all(ids.map(async (id) => [id, await person(id)] as const)))
    },
    channel: (id) =>
      named(id, 'conversations.info', { channel: id }, (data) => {
        const name = Conversation.safeParse(data).data?.channel.name
        return name && `#${name}`
      }),
  }
}
