/** Changes a provider: a new key, another address, how long it is waited for, its place in the order. */
import type { ProviderView } from '@countersign/contract'
import { useChange } from '../../environment/queries.ts'
import { FormDialog, TextField, useForm, useNotify } from '../../kit/index.ts'
import { words } from '../../words/models.tsx'
import { urlProblem } from './add-provider.tsx'
import { touched } from './model-queries.ts'

export function ChangeProvider({ provider, onClose }: { provider: ProviderView; onClose: () => void }) {
  const notify = useNotify()
  const form = useForm(
    {
      key: '',
      url: provider.url,
      seconds: String(provider.timeoutMs / 1_000),
      priority: String(provider.priority),
    },
    ({ url, seconds, priority }) => ({
      url: url.trim() === provider.url ? undefined : urlProblem(url),
      seconds: isBetween(seconds, 1, 600) ? undefined : words.secondsProblem,
      priority: isBetween(priority, 0, 1_000) ? undefined : words.orderProblem,
    }),
  )
  const { key, url, seconds, priority } = form.values
  const change = useChange(
    (client) =>
      client.setProvider(provider.name, {
        ...(key.trim() === '' ? {} : { key: key.trim() }),
        ...(url.trim() === provider.url ? {} : { url: url.trim() }),
        timeoutMs: Number(seconds) * 1_000,
        priority: Number(priority),
      }),
    touched,
  )
  return (
    <FormDialog
      title={words.changeTitle(provider.name)}
      form={form}
      submit={words.save}
      disabled={!form.isChanged}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await change.mutateAsync()
        notify({ text: words.changed(provider.name, ledger) })
      }}
    >
      <TextField
        label={words.newKey}
        type="password"
        spellCheck={false}
        hint={words.newKeyHint}
        {...form.field('key')}
      />
      <TextField label={words.address} inputMode="url" {...form.field('url')} />
      <TextField label={words.seconds} inputMode="numeric" {...form.field('seconds')} />
      <TextField label={words.order} inputMode="numeric" hint={words.orderHint} {...form.field('priority')} />
    </FormDialog>
  )
}

function isBetween(text: string, least: number, most: number): boolean {
  const number = Number(text)
  return text.trim() !== '' && Number.isInteger(number) && number >= least && number <= most
}
