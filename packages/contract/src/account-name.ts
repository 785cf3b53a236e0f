/** Owns the name of an account for e-mail or calendars, apart from the shape of one: a trigger needs no more of it. */
import { z } from 'zod'

export const AccountName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'not a name: lower case letters, digits, - and _, as in work')
