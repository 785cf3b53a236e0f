/** Owns the table of the routes of e-mail accounts. */
import { z } from 'zod'
import { AccountName } from '../account-name.ts'
import {
  MailAccountRemoved,
  MailAccountStored,
  MailAccountView,
  MailSearchableSet,
  SetMailSearchable,
  StoreMailAccount,
} from '../api-mail.ts'
import { BeginSignIn, EndSignIn, SignInBegun, SignInEnded } from '../api-oauth.ts'
import { define } from './define.ts'

const named = { params: z.object({ name: AccountName }) }

export const mailRoutes = {
  mailAccounts: define(
    'get',
    '/v1/mail/accounts',
    'E-mail accounts. Never a password.',
    z.array(MailAccountView),
  ),
  storeMailAccount: define(
    'put',
    '/v1/mail/accounts/{name}',
    'Adds or changes an e-mail account; its password goes into the vault.',
    MailAccountStored,
    { ...named, body: StoreMailAccount },
  ),
  beginMailSignIn: define(
    'post',
    '/v1/mail/accounts/{name}/sign-in',
    'Begins a sign-in by OAuth2: gives the address to open, and never a token.',
    SignInBegun,
    { ...named, body: BeginSignIn },
  ),
  endMailSignIn: define(
    'put',
    '/v1/mail/accounts/{name}/sign-in',
    'Ends the sign-in that was begun; the token goes into the vault.',
    SignInEnded,
    { ...named, body: EndSignIn },
  ),
  setMailSearchable: define(
    'put',
    '/v1/mail/accounts/{name}/searchable',
    'Makes the e-mails of an account searchable by meaning, or takes them out of the search.',
    MailSearchableSet,
    { ...named, body: SetMailSearchable },
  ),
  removeMailAccount: define(
    'delete',
    '/v1/mail/accounts/{name}',
    'Removes an e-mail account and its password.',
    MailAccountRemoved,
    named,
  ),
}
