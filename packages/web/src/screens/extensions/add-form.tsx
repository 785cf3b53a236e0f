/**
 * Letting an extension in from the screen. A server at an address needs nothing that a browser has not; whatever has files is
 * fetched and looked at on the computer of the gateway, so for those the command is made here and given there.
 */
import { ServerName } from '@countersign/contract'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import { useGateway } from '../../environment/queries.ts'
import {
  CopyCommand,
  FormDialog,
  Mono,
  type Problems,
  Select,
  shellWord,
  TextField,
  useForm,
  useNotify,
} from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'
import { type AddValues, addCommand, packageShape, whats } from './add-command.ts'

const initial: AddValues = { what: 'address', name: '', address: '', secret: '', package: '', path: '' }

export function AddForm({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const direct = useDirectCalls('extensions')
  const notify = useNotify()
  const secrets = useGateway(['secrets'], (client) => client.secrets())
  const form = useForm<AddValues>(initial, (values) => problemsOf(values, taken))
  const { what, name, address, secret } = form.values
  const isHere = what === 'address'
  const command = addCommand(form.values, shellWord)
  const submit = async () => {
    if (isHere) {
      const launch = { kind: 'http', url: address.trim(), secret: secret === '' ? null : secret }
      await direct.call('add_server', { name, launch, from: null, replaces: null }, words.form.asked(name))
      return
    }
    await navigator.clipboard.writeText(command)
    notify({ text: words.form.copied })
  }
  return (
    <FormDialog
      title={words.form.title}
      submit={isHere ? words.form.submit : words.form.copy}
      form={form}
      onClose={onClose}
      onSubmit={submit}
    >
      <Select
        label={words.form.what}
        options={whats.map((each) => [each, words.form.whats[each]] as const)}
        {...form.field('what')}
      />
      {what === 'other' ? null : (
        <TextField label={words.form.name} hint={words.form.nameHint} {...form.field('name')} />
      )}
      {isHere ? (
        <>
          <TextField label={words.form.address} hint={words.form.addressHint} {...form.field('address')} />
          <Select
            label={words.form.secret}
            hint={words.form.secretHint}
            options={[
              ['', words.form.noSecret],
              ...(secrets.data ?? []).map((each) => [each.name, each.name] as const),
            ]}
            {...form.field('secret')}
          />
        </>
      ) : null}
      {what === 'package' ? (
        <TextField label={words.form.package} hint={words.form.packageHint} {...form.field('package')} />
      ) : null}
      {what === 'skill' || what === 'plugin' ? (
        <TextField label={words.form.skillPath} hint={words.form.skillHint} {...form.field('path')} />
      ) : null}
      {isHere ? null : <InTerminal command={command} />}
    </FormDialog>
  )
}

function InTerminal({ command }: { command: string }) {
  return (
    <div>
      <p className="text-small text-ink-2">{words.form.inTerminal}</p>
      <Mono block text={command} className="mt-1 rounded-1 bg-well px-3 py-2 text-small" />
      <CopyCommand text={command} />
    </div>
  )
}

function problemsOf(values: AddValues, taken: readonly string[]): Problems<AddValues> {
  const { what, name, address, path } = values
  const isServer = what === 'address' || what === 'package' || what === 'plugin'
  const isAddress = /^https?:\/\//.test(address.trim()) && URL.canParse(address.trim())
  return {
    ...(what === 'other' ? {} : { name: nameProblem(name, isServer, taken) }),
    ...(what === 'address' && !isAddress ? { address: words.form.addressProblem } : {}),
    ...(what === 'package' && !packageShape.test(values.package.trim())
      ? { package: words.form.packageProblem }
      : {}),
    ...((what === 'skill' || what === 'plugin') && path.trim() === '' ? { path: words.form.needed } : {}),
  }
}

function nameProblem(name: string, isServer: boolean, taken: readonly string[]): string | undefined {
  if (name === '') return words.form.needed
  if (isServer && !ServerName.safeParse(name).success) return words.form.nameProblem
  return taken.includes(name) ? words.form.nameTaken : undefined
}
