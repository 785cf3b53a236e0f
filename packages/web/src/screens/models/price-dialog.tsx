/** Sets what a model costs, where the catalogue does not know it or has it wrong; and takes that back. */
import type { ModelView } from '@countersign/contract'
import { useChange } from '../../environment/queries.ts'
import { Button, FormDialog, TextField, useForm, useNotify } from '../../kit/index.ts'
import { words } from '../../words/models.tsx'
import { touched } from './model-queries.ts'

export function PriceDialog({ model, onClose }: { model: ModelView; onClose: () => void }) {
  const notify = useNotify()
  const form = useForm(
    { input: textOf(model.price?.input), output: textOf(model.price?.output) },
    ({ input, output }) => ({ input: dollarsProblem(input), output: dollarsProblem(output) }),
  )
  const { input, output } = form.values
  const set = useChange(
    (client) => client.overrideModel(model.ref, { input: Number(input), output: Number(output) }),
    touched,
  )
  const restore = useChange((client) => client.restoreModel(model.ref), touched)
  return (
    <FormDialog
      title={words.changePrice(model.title)}
      description={words.priceAbout}
      form={form}
      submit={words.save}
      disabled={!form.isChanged}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await set.mutateAsync()
        notify({ text: words.priced(model.title, ledger) })
      }}
    >
      <TextField label={words.input} inputMode="decimal" hint={words.perMillion} {...form.field('input')} />
      <TextField label={words.output} inputMode="decimal" hint={words.perMillion} {...form.field('output')} />
      {model.overridden ? (
        <Button
          type="button"
          busy={restore.isPending}
          onClick={() =>
            restore.mutate(undefined, {
              onSuccess: ({ ledger }) => {
                notify({ text: words.restored(model.title, ledger) })
                onClose()
              },
              onError: (error) => notify({ text: error.message, tone: 'bad' }),
            })
          }
        >
          {words.restore}
        </Button>
      ) : null}
    </FormDialog>
  )
}

const textOf = (usd: number | undefined): string => (usd === undefined ? '' : String(usd))

function dollarsProblem(text: string): string | undefined {
  const usd = Number(text)
  return text.trim() !== '' && Number.isFinite(usd) && usd >= 0 ? undefined : words.notDollars
}
