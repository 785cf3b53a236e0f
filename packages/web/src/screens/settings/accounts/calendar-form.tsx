/** Adds a calendar account, or changes one. */
import { type CalendarAccountView, CalendarServer, mailLine } from '@countersign/contract'
import { useChange } from '../../../environment/queries.ts'
import { Checkbox, Choice, FormDialog, TextField, useForm, useNotify } from '../../../kit/index.ts'
import { words } from '../../../words/accounts.ts'
import { NameField, PasswordField } from './fields.tsx'
import { nameProblem, passwordProblem } from './problems.ts'

export function CalendarForm({
  account,
  taken,
  onClose,
}: {
  /** The one that is changed; none to add one. */
  account?: CalendarAccountView
  taken: readonly string[]
  onClose: () => void
}) {
  const notify = useNotify()
  const { form, store } = useCalendarForm(account, taken)
  const { name, direction } = form.values
  return (
    <FormDialog
      title={account ? words.changeTitle(name) : words.calendar.addTitle}
      form={form}
      submit={account ? words.save : words.add}
      onClose={onClose}
      onSubmit={async () => {
        const { ledger } = await store.mutateAsync()
        notify({ text: words.stored(name, ledger) })
      }}
    >
      {account ? null : <NameField example={words.calendar.examples.name} given={form.field('name')} />}
      <TextField
        label={words.calendar.server}
        type="url"
        placeholder={words.calendar.examples.server}
        hint={words.calendar.serverHint}
        spellCheck={false}
        {...form.field('url')}
      />
      <TextField label={words.user} spellCheck={false} {...form.field('user')} />
      <PasswordField hasOne={account !== undefined} given={form.field('password')} />
      <Choice
        label={words.calendar.direction}
        options={[
          { value: 'both', label: words.calendar.directions.both, hint: words.calendar.bothHint },
          { value: 'pull', label: words.calendar.directions.pull, hint: words.calendar.pullHint },
        ]}
        {...form.choice('direction')}
      />
      {direction === 'both' ? (
        <Checkbox label={words.calendar.receivesNew} {...form.tick('receivesNew')} />
      ) : null}
      <TextField label={words.calendar.every} inputMode="numeric" {...form.field('everyMinutes')} />
    </FormDialog>
  )
}

function useCalendarForm(account: CalendarAccountView | undefined, taken: readonly string[]) {
  const form = useForm(beginning(account), ({ name, url, user, password, everyMinutes }) => ({
    name: nameProblem(name, taken),
    url: CalendarServer.safeParse(url.trim()).success ? undefined : words.calendar.serverProblem,
    user: mailLine(254).min(1).safeParse(user.trim()).success ? undefined : words.userProblem,
    password: passwordProblem(password, account !== undefined),
    everyMinutes: isMinutes(everyMinutes) ? undefined : words.calendar.everyProblem,
  }))
  const { name, url, user, password, direction, receivesNew, everyMinutes } = form.values
  const store = useChange(
    (client) =>
      client.storeCalendarAccount(name, {
        url: url.trim(),
        user: user.trim(),
        direction,
        receivesNew: direction === 'both' && receivesNew,
        everyMinutes: Number(everyMinutes),
        ...(password === '' ? {} : { password }),
      }),
    [['calendar-accounts'], ['secrets']],
  )
  return { form, store }
}

function beginning(account: CalendarAccountView | undefined) {
  const { name = '', url = '', user = '', direction = 'both', receivesNew = false } = account ?? {}
  return {
    name,
    url,
    user,
    password: '',
    direction,
    receivesNew,
    everyMinutes: String(account?.everyMinutes ?? 15),
  }
}

function isMinutes(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1_440
}
