/** Owns the table of the routes of e-mail accounts. */
import { z } from 'zod'
import {
  MailAccount,
  MailAccountName,
  MailAccountRemoved,
  MailAccountStored,
  StoreMailAccount,
} from '../api-mail.ts'
import { define } from './define.ts'

const named = { params: z.object({ name: MailAccountName }) }

export const mailRoutes = {
  mailAccounts: define(
    'get',
    '/v1/mail/accounts',
    'E-mail accounts. Never a password.',
    z.array(MailAccount),
  ),
  storeMailAccount: define(
    'put',
    '/v1/mail/accounts/{name}',
    'Adds or changes an e-mail account; its password goes into the vault.',
    MailAccountStored,
    { ...named, body: StoreMailAccount },
  ),
  removeMailAccount: define(
    'delete',
    '/v1/mail/accounts/{name}',
    'Removes an e-mail account and its password.',
    MailAccountRemoved,
    named,
  ),
}
