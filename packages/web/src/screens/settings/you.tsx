/** What the person says of themselves: a name, how to be written to, and what every agent must keep to. */
import { type Profile, Profile as ProfileShape } from '@countersign/contract'
import { useChange, useProfile } from '../../environment/queries.ts'
import { Button, Loaded, Sheet, TextArea, TextField, useForm, useNotify } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'
import { Conversations } from './conversations.tsx'
import { fitsList, type ProfileList, profileLists, withAnswers } from './profile-lines.ts'
import { TimeZone } from './time-zone.tsx'

export function You() {
  const profile = useProfile()
  return (
    <div className="space-y-6">
      <Loaded query={profile}>{({ profile: known }) => <ProfileForm known={known} />}</Loaded>
      <TimeZone />
      <Conversations />
    </div>
  )
}

/** Not in every prompt: an agent asks for them. */
const lookedUp = [
  { list: 'facts', rows: 3 },
  { list: 'preferences', rows: 3 },
  { list: 'interests', rows: 2 },
] as const

function useProfileForm(known: Profile) {
  return useForm(
    {
      name: known.name ?? '',
      style: known.communicationStyle ?? '',
      facts: known.facts.join('\n'),
      preferences: (known.preferences ?? []).join('\n'),
      interests: known.interests.join('\n'),
      instructions: known.instructions.join('\n'),
    },
    ({ name, style, ...lists }) => ({
      name: name.trim().length > 100 ? words.you.tooLong(100) : undefined,
      style: style.trim().length > 500 ? words.you.tooLong(500) : undefined,
      facts: listProblem('facts', lists.facts),
      preferences: listProblem('preferences', lists.preferences),
      interests: listProblem('interests', lists.interests),
      instructions: listProblem('instructions', lists.instructions),
    }),
  )
}

function ProfileForm({ known }: { known: Profile }) {
  const notify = useNotify()
  const form = useProfileForm(known)
  const save = useChange(
    (client, profile: Profile) => client.setProfile(ProfileShape.parse(profile)),
    [['profile'], ['onboarding']],
  )
  const submit = () => {
    if (!form.check()) return
    save.mutate(withAnswers(known, form.values), {
      onSuccess: ({ ledger }) => notify({ text: words.you.saved(ledger) }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  }
  return (
    <Sheet>
      <form
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={words.you.name}
          hint={words.you.nameHint}
          autoComplete="given-name"
          {...form.field('name')}
        />
        <TextArea label={words.you.style} hint={words.you.styleHint} rows={2} {...form.field('style')} />
        {lookedUp.map(({ list, rows }) => (
          <TextArea
            key={list}
            label={words.you[list]}
            hint={words.you.lookedUp}
            rows={rows}
            {...form.field(list)}
          />
        ))}
        <TextArea
          label={words.you.instructions}
          hint={words.you.instructionsHint}
          rows={4}
          {...form.field('instructions')}
        />
        <Button type="submit" variant="go" busy={save.isPending} disabled={!form.isChanged}>
          {words.you.save}
        </Button>
      </form>
    </Sheet>
  )
}

function listProblem(list: ProfileList, text: string): string | undefined {
  const { most, longest } = profileLists[list]
  return fitsList(list, text) ? undefined : words.you.tooMany(most, longest)
}
