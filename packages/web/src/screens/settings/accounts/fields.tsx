/** Owns the fields that accounts of every kind have. */
import { type Form, TextField } from '../../../kit/index.ts'
import { words } from '../../../words/accounts.ts'

type Given = ReturnType<Form<{ readonly text: string }>['field']>

export function NameField({ example, given }: { example: string; given: Given }) {
  return (
    <TextField label={words.name} hint={words.nameHint} placeholder={example} spellCheck={false} {...given} />
  )
}

export function PasswordField({ hasOne, given }: { hasOne: boolean; given: Given }) {
  return (
    <TextField
      label={hasOne ? words.newPassword : words.passwordLabel}
      type="password"
      hint={hasOne ? words.newPasswordHint : words.passwordHint}
      {...given}
    />
  )
}

export function ServerField({
  words: { label, hint, example },
  given,
}: {
  words: { readonly label: string; readonly hint: string; readonly example: string }
  given: Given
}) {
  return <TextField label={label} hint={hint} placeholder={example} spellCheck={false} {...given} />
}
