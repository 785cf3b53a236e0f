/** Looks whether e-mail accounts are signed in: a sign-in by OAuth2 ends when its provider says so. */
import { type MailAccountView, mailSignInCommand } from '../../api-mail.ts'
import { type DoctorFinding, ok, warning } from './finding.ts'

export function mailSignIns(accounts: readonly MailAccountView[]): DoctorFinding {
  const out = accounts.filter(({ oauth, signedIn }) => oauth !== undefined && !signedIn)
  if (out.length === 0) return ok('mail-accounts', `${accounts.length} e-mail accounts`)
  const names = out.map(({ name }) => name)
  return warning(
    'mail-accounts',
    `not signed in: ${names.join(', ')}`,
    `Sign in with ${names.map((name) => `\`${mailSignInCommand(name)}\``).join(', ')}.`,
  )
}
