/** Adds a provider: which one, its key, and its address where it is a server of one's own. */
import { ProviderKind, ProviderName } from '@countersign/contract'
import { useChange } from '../../environment/queries.ts'
import { FormDialog, Select, TextField, useForm, useNotify } from '../../kit/index.ts'
import { words } from '../../words/models.tsx'
import { touched } from './model-queries.ts'

/** Those that run where the operator says. */
const ownServers: readonly ProviderKind[] = ['ollama', 'openai-compatible']
const needsKey = (kind: ProviderKind) => !ownServers.includes(kind) && kind !== 'demo'

export function AddProvider({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const notify = useNotify()
  const form = useForm(
    { kind: 'anthropic' as ProviderKind, key: '', url: '', name: '' },
    ({ kind, key, url, name }) => ({
      key: needsKey(kind) && key.trim() === '' ? words.needsKey : undefined,
      url:
        url.trim() === '' ? (kind === 'openai-compatible' ? words.needsAddress : undefined) : urlProblem(url),
      name: nameProblem(name.trim() === '' ? kind : name.trim(), taken),
    }),
  )
  const { kind, key, url, name } = form.values
  const add = useChange(
    (client) =>
      client.addProvider({
        name: name.trim() === '' ? kind : name.trim(),
        kind,
        ...(key.trim() === '' ? {} : { key: key.trim() }),
        ...(url.trim() === '' ? {} : { url: url.trim() }),
      }),
    touched,
  )
  return (
    <FormDialog
      title={words.addTitle}
      description={words.addAbout}
      form={form}
      submit={words.add}
      onClose={onClose}
      onSubmit={async () => {
        const { provider, ledger } = await add.mutateAsync()
        notify({ text: words.added(provider.name, ledger) })
      }}
    >
      <Select
        label={words.kind}
        options={ProviderKind.options.map((each) => [each, words.kinds[each]] as const)}
        {...form.field('kind')}
      />
      {kind === 'demo' ? null : (
        <TextField
          label={needsKey(kind) ? words.key : words.keyOptional}
          type="password"
          spellCheck={false}
          hint={words.keyHint}
          {...form.field('key')}
        />
      )}
      {kind === 'demo' ? null : (
        <TextField
          label={ownServers.includes(kind) ? words.address : words.addressOptional}
          inputMode="url"
          placeholder={kind === 'ollama' ? words.examples.ollama : words.examples.server}
          hint={ownServers.includes(kind) ? words.addressHint : words.addressOptionalHint}
          {...form.field('url')}
        />
      )}
      <TextField label={words.name} placeholder={kind} hint={words.nameHint} {...form.field('name')} />
    </FormDialog>
  )
}

export function urlProblem(url: string): string | undefined {
  return URL.canParse(url.trim()) ? undefined : words.notAnAddress
}

function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (taken.includes(name)) return words.nameTaken
  return ProviderName.safeParse(name).success ? undefined : words.notAName
}
