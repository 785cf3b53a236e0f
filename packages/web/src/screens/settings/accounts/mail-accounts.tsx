/** E-mail accounts: their servers, whether they are open, and everything that can be done with one. Never a password. */
import { type MailAccountView, mailServerText, mailSignInCommand } from '@countersign/contract'
import { useState } from 'react'
import { useDirectCalls } from '../../../deciding/use-direct-call.ts'
import { useAskedFor } from '../../../environment/asked-for.ts'
import { useChange, useGateway } from '../../../environment/queries.ts'
import { CopyCommand, Facts, FormDialog, Menu, Safe, useNotify } from '../../../kit/index.ts'
import { words } from '../../../words/accounts.ts'
import { AccountCard, AccountList } from './account-list.tsx'
import { MailForm } from './mail-form.tsx'

export function MailAccounts() {
  const accounts = useGateway(['mail-accounts'], (client) => client.mailAccounts())
  const [adding, setAdding] = useState(false)
  useAskedFor('add-mail', () => setAdding(true))
  return (
    <>
      <AccountList
        {...words.mail.list}
        accounts={accounts}
        onAdd={() => setAdding(true)}
        card={(account) => <MailCard account={account} />}
      />
      {adding ? (
        <MailForm taken={(accounts.data ?? []).map(({ name }) => name)} onClose={() => setAdding(false)} />
      ) : null}
    </>
  )
}

function MailCard({ account }: { account: MailAccountView }) {
  const { name, address, imap, smtp, oauth, signedIn } = account
  const [opened, setOpened] = useState<'change' | 'remove' | null>(null)
  const close = () => setOpened(null)
  const direct = useDirectCalls('mail-accounts')
  const state = oauth ? words.mail.signIn : words.mail.password
  return (
    <AccountCard
      name={name}
      menu={
        <Menu
          label={words.more}
          items={[
            {
              label: words.mail.test,
              run: () => direct.act('check_email_account', { account: name }, words.mail.works(name)),
            },
            // What an OAuth2 account is opened with is set up in the terminal, where it signs in.
            ...(oauth ? [] : [{ label: words.change, run: () => setOpened('change') }]),
            { label: words.remove, run: () => setOpened('remove') },
          ]}
        />
      }
    >
      <Facts
        className="mt-2"
        rows={[
          [words.mail.address, <Safe key="address" text={address} />],
          [words.mail.imap.label, <Safe key="imap" text={mailServerText(imap)} />],
          [words.mail.smtp.label, <Safe key="smtp" text={mailServerText(smtp)} />],
          [words.mail.openedBy, signedIn ? state.kept : state.missing],
        ]}
      />
      {oauth && !signedIn ? (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-small text-ink-2">
          {words.mail.signIn.inTerminal}
          <CopyCommand text={mailSignInCommand(name)} />
        </p>
      ) : null}
      {opened === 'change' ? <MailForm account={account} taken={[]} onClose={close} /> : null}
      {opened === 'remove' ? <RemoveMail name={name} onClose={close} /> : null}
    </AccountCard>
  )
}

function RemoveMail({ name, onClose }: { name: string; onClose: () => void }) {
  const notify = useNotify()
  const remove = useChange((client) => client.removeMailAccount(name), [['mail-accounts'], ['secrets']])
  return (
    <FormDialog
      title={words.removeTitle(name)}
      description={words.mail.removeAbout}
      tone="danger"
      submit={words.remove}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await remove.mutateAsync()
        notify({ text: words.removed(name, ledger) })
      }}
    />
  )
}
