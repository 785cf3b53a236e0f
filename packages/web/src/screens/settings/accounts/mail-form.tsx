/** Adds an e-mail account with a password, or changes one. */
import {
  type MailAccountView,
  MailAddress,
  MailSecurity,
  MailServer,
  type MailServerProblem,
  mailLine,
  mailServerIn,
  mailServerText,
} from '@countersign/contract'
import { useChange } from '../../../environment/queries.ts'
import { FormDialog, Select, TextField, useForm, useNotify } from '../../../kit/index.ts'
import { words } from '../../../words/accounts.ts'
import { NameField, PasswordField, ServerField } from './fields.tsx'
import { nameProblem, passwordProblem } from './problems.ts'

export function MailForm({
  account,
  taken,
  onClose,
}: {
  /** The one that is changed; none to add one. */
  account?: MailAccountView
  taken: readonly string[]
  onClose: () => void
}) {
  const notify = useNotify()
  const { form, store } = useMailForm(account, taken)
  const { name } = form.values
  return (
    <FormDialog
      title={account ? words.changeTitle(name) : words.mail.addTitle}
      form={form}
      submit={account ? words.save : words.add}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger, enabled } = await store.mutateAsync()
        notify({ text: enabled ? words.stored(name, ledger) : words.mail.storedButOff(name, ledger) })
      }}
    >
      {account ? null : <NameField example={words.mail.examples.name} given={form.field('name')} />}
      <TextField
        label={words.mail.address}
        type="email"
        placeholder={words.mail.examples.address}
        spellCheck={false}
        {...form.field('address')}
      />
      <PasswordField hasOne={account !== undefined} given={form.field('password')} />
      <ServerField words={words.mail.imap} given={form.field('imap')} />
      <ServerField words={words.mail.smtp} given={form.field('smtp')} />
      <Select
        label={words.mail.security}
        options={Object.entries(words.mail.securities)}
        {...form.field('security')}
      />
      <TextField
        label={words.userOptional}
        hint={words.mail.userHint}
        spellCheck={false}
        {...form.field('user')}
      />
      <TextField
        label={words.mail.displayNameOptional}
        hint={words.mail.displayNameHint}
        {...form.field('displayName')}
      />
    </FormDialog>
  )
}

function useMailForm(account: MailAccountView | undefined, taken: readonly string[]) {
  const form = useForm(beginning(account), ({ name, address, password, user, displayName, ...written }) => ({
    name: nameProblem(name, taken),
    address: MailAddress.safeParse(address.trim()).success ? undefined : words.mail.addressProblem,
    password: passwordProblem(password, account !== undefined),
    imap: serverProblem(serverIn('imap', written, account)),
    smtp: serverProblem(serverIn('smtp', written, account)),
    user: mailLine(254).safeParse(user).success ? undefined : words.lineProblem,
    displayName: mailLine(100).safeParse(displayName).success ? undefined : words.lineProblem,
  }))
  const { name, address, password, user, displayName, ...written } = form.values
  const store = useChange(
    (client) =>
      client.storeMailAccount(name, {
        address: address.trim(),
        user: user.trim() || address.trim(),
        displayName: displayName.trim(),
        imap: MailServer.parse(serverIn('imap', written, account)),
        smtp: MailServer.parse(serverIn('smtp', written, account)),
        ...(password === '' ? {} : { password }),
      }),
    [['mail-accounts'], ['secrets'], ['tools']],
  )
  return { form, store }
}

function beginning(account: MailAccountView | undefined) {
  const { name = '', address = '', displayName = '', user = '', imap, smtp } = account ?? {}
  return {
    name,
    address,
    password: '',
    imap: imap ? mailServerText(imap) : '',
    smtp: smtp ? mailServerText(smtp) : '',
    security: 'usual',
    user: user === address ? '' : user,
    displayName,
  }
}

/** A server that nobody wrote anew stays as it is, also where its port is not usual for how it is secured. */
function serverIn(
  kind: 'imap' | 'smtp',
  written: { readonly imap: string; readonly smtp: string; readonly security: string },
  account: MailAccountView | undefined,
): MailServer | MailServerProblem {
  const wished = MailSecurity.safeParse(written.security).data
  const kept = account?.[kind]
  if (kept && wished === undefined && written[kind] === mailServerText(kept)) return kept
  return mailServerIn(written[kind], kind, wished)
}

function serverProblem(server: MailServer | MailServerProblem): string | undefined {
  return typeof server === 'string' ? words.mail.serverProblems[server] : undefined
}
