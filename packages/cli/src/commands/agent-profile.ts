/** `countersign agent profile`: what your agents are told of you. */
import { Profile, type ProfileView } from '@countersign/contract'
import type { Context, Handler, OptionValues } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'
import { listOf } from './agent-settings.ts'

const command = 'agent profile'

export const profile: Handler = async (context, [action = 'show'], options) => {
  const given = Object.values(options).some((value) => value !== undefined)
  if (action === 'show' && given)
    return usage('Change the profile with `countersign agent profile set`.', command)
  const { client } = await context.gateway()
  const before = await client.profile()
  if (action === 'show') return done({ ...before }, () => profileText(before, context))
  if (!given) return usage('Say what to set, for example --name, --style or --add-fact.', command)
  const after = changed(before.profile, options)
  if (typeof after === 'string') return usage(after, command)
  const set = await client.setProfile(after)
  return done({ ...set }, () =>
    [
      `Your agents use this from their next run.${ledgerMark(set.ledger)}`,
      profileText(
        { profile: set.profile, label: null, updatedAt: context.moment().now.toISOString() },
        context,
      ),
    ].join('\n'),
  )
}

function profileText({ profile: told, label, updatedAt }: ProfileView, context: Context): string {
  const listed = (title: string, items: readonly string[]) =>
    items.map((item, at) => [at === 0 ? title : '', `${at + 1}  ${line(item)}`])
  const rows = [
    ...(told.name === undefined ? [] : [['Name', line(told.name)]]),
    ...(told.communicationStyle === undefined ? [] : [['Style', lines(told.communicationStyle)]]),
    ...listed('Facts', told.facts),
    ...listed('Preferences', told.preferences ?? []),
    ...(told.interests.length === 0 ? [] : [['Interests', told.interests.map(line).join(', ')]]),
    ...listed('Instructions', told.instructions),
    ...(told.autonomy === undefined ? [] : [['Autonomy', `${told.autonomy}, where the policy allows more`]]),
  ]
  if (rows.length === 0)
    return 'The profile is empty. Start with `countersign agent profile set --name Ana --add-fact "Lives in Graz"`.'
  return [
    columns(rows),
    ...(label === null ? [] : ['Untrusted content led to it; set it again to make it your own.']),
    ...(updatedAt === null ? [] : [`Changed ${ago(updatedAt, context.moment())}.`]),
  ].join('\n')
}

/** A sentence where what was given cannot be. An empty text takes away. */
function changed(before: Profile, options: OptionValues): Profile | string {
  const given = (name: string): string | undefined => {
    const value = options[name]
    return typeof value === 'string' ? value : undefined
  }
  const facts = changedList(before.facts, given('addFact'), given('dropFact'), 'fact')
  if (typeof facts === 'string') return facts
  const instructions = changedList(
    before.instructions,
    given('addInstruction'),
    given('dropInstruction'),
    'instruction',
  )
  if (typeof instructions === 'string') return instructions
  const preferences = changedList(
    before.preferences ?? [],
    given('addPreference'),
    given('dropPreference'),
    'preference',
  )
  if (typeof preferences === 'string') return preferences
  const interests = given('interests')
  const merged = {
    ...before,
    name: given('name') ?? before.name,
    communicationStyle: given('style') ?? before.communicationStyle,
    autonomy: given('autonomy') ?? before.autonomy,
    facts,
    instructions,
    ...(preferences.length === 0 && before.preferences === undefined ? {} : { preferences }),
    interests: interests === undefined ? before.interests : listOf(interests),
  }
  const parsed = Profile.safeParse(
    Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined && value !== '')),
  )
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return `${issue?.path.map(String).join('.') ?? 'The profile'}: ${issue?.message ?? 'is not right'}.`
}

function changedList(
  before: readonly string[],
  added: string | undefined,
  dropped: string | undefined,
  noun: string,
): string[] | string {
  const at = dropped === undefined ? undefined : Number(dropped)
  if (at !== undefined && (!Number.isInteger(at) || at < 1 || at > before.length))
    return before.length === 0
      ? `There is no ${noun} to remove.`
      : `--drop-${noun} takes a number from 1 to ${before.length}; \`countersign agent profile\` lists them.`
  const kept = before.filter((_, index) => at === undefined || index !== at - 1)
  return added === undefined ? kept : [...kept, added]
}
