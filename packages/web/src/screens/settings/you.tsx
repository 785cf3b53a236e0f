/** What the person says of themselves: a name, how to be written to, and what every agent must keep to. */
import { type Profile, Profile as ProfileShape } from '@countersign/contract'
import { useChange, useProfile } from '../../environment/queries.ts'
import { Button, Loaded, Sheet, TextArea, TextField, useForm, useNotify } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'
import { linesOf, withAnswers } from './profile-lines.ts'
import { TimeZone } from './time-zone.tsx'

export function You() {
  const profile = useProfile()
  return (
    <div className="space-y-6">
      <Loaded query={profile}>{({ profile: known }) => <ProfileForm known={known} />}</Loaded>
      <TimeZone />
    </div>
  )
}

function ProfileForm({ known }: { known: Profile }) {
  const notify = useNotify()
  const form = useForm(
    {
      name: known.name ?? '',
      style: known.communicationStyle ?? '',
      instructions: known.instructions.join('\n'),
    },
    ({ name, style, instructions }) => ({
      name: name.trim().length > 100 ? words.you.tooLong(100) : undefined,
      style: style.trim().length > 500 ? words.you.tooLong(500) : undefined,
      instructions:
        linesOf(instructions).length > 30 || linesOf(instructions).some((line) => line.length > 500)
          ? words.you.tooMany
          : undefined,
    }),
  )
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
