/** Puts a new value in the place of the old one. */
import { useChange } from '../../../environment/queries.ts'
import { FormDialog, TextField, useForm, useNotify } from '../../../kit/index.ts'
import { words } from '../../../words/secrets.ts'
import { valueProblem } from './store-secret.tsx'

export function RotateSecret({ name, onClose }: { name: string; onClose: () => void }) {
  const notify = useNotify()
  const form = useForm({ value: '' }, ({ value }) => ({ value: valueProblem(value) }))
  const rotate = useChange((client) => client.rotateSecret(name, { value: form.values.value }), [['secrets']])
  return (
    <FormDialog
      title={words.rotateTitle(name)}
      description={words.rotateAbout}
      form={form}
      submit={words.rotate}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await rotate.mutateAsync()
        notify({ text: words.rotated(name, ledger) })
      }}
    >
      <TextField
        label={words.newValue}
        type="password"
        hint={words.valueHint}
        spellCheck={false}
        {...form.field('value')}
      />
    </FormDialog>
  )
}
