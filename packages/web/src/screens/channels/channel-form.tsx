/** Adds a channel, or changes what one is told about its platform: the steps there first, then what it needs. */
import {
  type ChannelKindView,
  type ChannelSetting,
  type ChannelView,
  channelSettings,
} from '@countersign/contract'
import { useId, useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import {
  type Form,
  FormDialog,
  Safe,
  SafeBlock,
  Select,
  TextArea,
  TextField,
  useForm,
  useNotify,
} from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'
import {
  type ChannelValues,
  channelProblems,
  channelValues,
  nameIn,
  secretField,
  settingField,
  storedChannel,
} from './channel-fields.ts'
import { settledChannel } from './settled.ts'

interface ChannelFormProps {
  readonly kinds: readonly ChannelKindView[]
  /** The one that is changed; none to add one. */
  readonly channel?: ChannelView
  readonly taken: readonly string[]
  readonly onStored?: (name: string) => void
  readonly onClose: () => void
}

export function ChannelForm({ kinds, channel, taken, onStored, onClose }: ChannelFormProps) {
  const notify = useNotify()
  const { form, kind, name, made, store } = useChannelForm({ kinds, channel, taken })
  const kept = channel !== undefined || made !== null
  return (
    <FormDialog
      title={channel ? words.form.changeTitle(name) : words.form.addTitle}
      form={form}
      submit={channel ? words.form.save : words.form.store}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await store.mutateAsync()
        notify({ text: (channel ? words.form.changed : words.form.added)(name, ledger) })
        onStored?.(name)
      }}
    >
      {channel ? null : (
        <Select
          label={words.form.kind}
          options={kinds.map((each) => [each.kind, each.title] as const)}
          {...(kind ? { hint: <Safe text={kind.about} /> } : {})}
          {...form.field('kind')}
          disabled={made !== null}
        />
      )}
      {kind ? (
        <>
          <Steps steps={kind.steps} />
          {kept ? null : (
            <TextField
              label={words.form.name}
              hint={words.form.nameHint}
              placeholder={kind.kind}
              spellCheck={false}
              {...form.field('name')}
            />
          )}
          <KindFields kind={kind} form={form} kept={kept} />
        </>
      ) : null}
    </FormDialog>
  )
}

function useChannelForm({
  kinds,
  channel,
  taken,
}: Pick<ChannelFormProps, 'kinds' | 'taken'> & { readonly channel: ChannelView | undefined }) {
  // What the platform rejected is there, and is put right under the same name.
  const [made, setMade] = useState<string | null>(null)
  const kindOf = ({ kind }: ChannelValues) => kinds.find((each) => each.kind === kind)
  const form = useForm(channelValues(kinds, channel), (values) =>
    channelProblems(values, kindOf(values), {
      taken: taken.filter((each) => each !== made),
      kept: channel !== undefined || made !== null,
    }),
  )
  const kind = kindOf(form.values)
  const name = nameIn(form.values)
  const store = useChange(
    async (client) => {
      if (!kind) throw new Error(words.form.needed)
      const stored = await client.storeChannel(name, storedChannel(form.values, kind))
      setMade(name)
      await settledChannel(client, name)
      return stored
    },
    [['channels'], ['secrets']],
  )
  return { form, kind, name, made, store }
}

function Steps({ steps }: { steps: readonly string[] }) {
  const id = useId()
  if (steps.length === 0) return null
  return (
    <div>
      <p id={id} className="mb-1 text-small font-medium text-ink-2">
        {words.form.steps}
      </p>
      <ol aria-labelledby={id} className="list-decimal space-y-1 ps-5 text-ink-2">
        {steps.map((step) => (
          <li key={step}>
            <SafeBlock text={step} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function KindFields({
  kind,
  form,
  kept,
}: {
  kind: ChannelKindView
  form: Form<ChannelValues>
  /** Its secrets are in the vault. */
  kept: boolean
}) {
  const settings = channelSettings(kind.settings)
  return (
    <>
      {kind.secrets.map(({ name, label, optional }) => (
        <TextField
          key={name}
          label={optional ? words.form.optional(label) : label}
          type="password"
          hint={kept ? words.form.kept : words.form.vault}
          {...form.field(secretField(kind.kind, name))}
        />
      ))}
      {settings
        .toSorted((a, b) => Number(b.required) - Number(a.required))
        .map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            given={form.field(settingField(kind.kind, setting.name))}
          />
        ))}
    </>
  )
}

function SettingField({
  setting,
  given,
}: {
  setting: ChannelSetting
  given: ReturnType<Form<ChannelValues>['field']>
}) {
  const { name, kind, about, choices, required, usual } = setting
  const label = required ? name : words.form.optional(name)
  const said = [
    about,
    kind === 'list' ? words.form.perLine : '',
    usual === null || usual === '' || usual === '[]' ? '' : words.form.usually(usual),
  ]
  const hint = said.filter((each) => each !== '').join(' ')
  const common = { label, ...(hint === '' ? {} : { hint: <Safe text={hint} /> }), ...given }
  const none = required ? [] : [['', words.form.usual] as const]
  switch (kind) {
    case 'choice':
      return (
        <Select
          {...common}
          options={[['', words.form.usual], ...choices.map((each) => [each, each] as const)]}
        />
      )
    case 'flag':
      return <Select {...common} options={[...none, ['true', words.form.yes], ['false', words.form.no]]} />
    case 'list':
    case 'other':
      return <TextArea {...common} rows={3} spellCheck={false} />
    default:
      if (setting.long) return <TextArea {...common} rows={3} spellCheck={false} />
      return <TextField {...common} inputMode={kind === 'number' ? 'numeric' : 'text'} spellCheck={false} />
  }
}
