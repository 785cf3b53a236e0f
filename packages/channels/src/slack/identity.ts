/** Owns who we are in the workspace. */
import { z } from 'zod'
import type { SlackAnswer, SlackCall } from './web-api.ts'

export interface SlackSelf {
  readonly team: string
  readonly user: string
  readonly bot: string
  readonly name: string
}

const AuthTest = z.looseObject({
  team_id: z.string(),
  team: z.string().optional(),
  user_id: z.string(),
  user: z.string().optional(),
  bot_id: z.string(),
})

/** An answer that is not `ok` says why it is not known. */
export async function askWhoWeAre(
  asBot: SlackCall,
): Promise<SlackSelf | Exclude<SlackAnswer, { kind: 'ok' }>> {
  const answer = await asBot('auth.test', {})
  if (answer.kind !== 'ok') return answer
  const read = AuthTest.safeParse(answer.data)
  // A token of a person would act as that person.
  if (!read.success) return { kind: 'refused', error: 'the bot token belongs to no bot' }
  const { team_id, team = team_id, user_id, user = user_id, bot_id } = read.data
  return { team: team_id, user: user_id, bot: bot_id, name: `${user} in ${team}` }
}
