/** Owns the names of accounts, apart from the shape of an account: a trigger needs no more of it. */
import { z } from 'zod'

export const MailAccountName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'not a name: lower case letters, digits, - and _, as in work')
