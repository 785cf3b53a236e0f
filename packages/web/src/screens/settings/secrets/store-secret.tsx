/** Stores a secret: its name, its value, and the only places that it may be sent to. */
import { type Destination, destinationIn, SecretName, SecretValue } from '@countersign/contract'
import { useChange } from '../../../environment/queries.ts'
import { Checkbox, FormDialog, TextArea, TextField, useForm, useNotify } from '../../../kit/index.ts'
import { words } from '../../../words/secrets.ts'

export function StoreSecret({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const notify = useNotify()
  const form = useForm(
    { name: '', value: '', hosts: '', description: '', tools: '', plain: false },
    ({ name, value, hosts, tools }) => ({
      name: nameProblem(name, taken),
      value: valueProblem(value),
      hosts:
        partsOf(hosts).length === 0 || placesIn(hosts).includes(undefined) ? words.hostsProblem : undefined,
      tools: partsOf(tools).every((tool) => /^[a-z][a-z0-9_]{0,63}$/.test(tool))
        ? undefined
        : words.toolsProblem,
    }),
  )
  const { name, value, hosts, description, tools, plain } = form.values
  const store = useChange(
    (client) =>
      client.storeSecret(name, {
        value,
        description: description.trim(),
        destinations: placesIn(hosts, plain).filter((place) => place !== undefined),
        tools: partsOf(tools),
      }),
    [['secrets']],
  )
  return (
    <FormDialog
      title={words.addTitle}
      form={form}
      submit={words.store}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await store.mutateAsync()
        notify({ text: words.stored(name, ledger) })
      }}
    >
      <TextField
        label={words.name}
        placeholder={words.examples.name}
        hint={words.nameHint}
        spellCheck={false}
        {...form.field('name')}
      />
      <TextField
        label={words.value}
        type="password"
        hint={words.valueHint}
        spellCheck={false}
        {...form.field('value')}
      />
      <TextArea
        label={words.hosts}
        rows={2}
        placeholder={words.examples.host}
        hint={words.hostsHint}
        spellCheck={false}
        {...form.field('hosts')}
      />
      <Checkbox label={words.plain} {...form.tick('plain')} />
      <TextField
        label={words.toolsOptional}
        hint={words.toolsHint}
        spellCheck={false}
        {...form.field('tools')}
      />
      <TextField label={words.descriptionOptional} {...form.field('description')} />
    </FormDialog>
  )
}

export function valueProblem(value: string): string | undefined {
  return SecretValue.safeParse(value).success ? undefined : words.valueProblem
}

function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (taken.includes(name)) return words.nameTaken
  return SecretName.safeParse(name).success ? undefined : words.nameProblem
}

const partsOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '')

/** Undefined for each that is not one exact place. */
function placesIn(text: string, plain = false): (Destination | undefined)[] {
  return partsOf(text).map((part) => destinationIn(part, plain ? 'http' : 'https'))
}
