/** Owns what an address in settings may be. A password in it would be a secret in a place that everybody reads. */
import { z } from 'zod'

export const HttpAddress = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine((address) => {
    const { username, password } = new URL(address)
    return username === '' && password === ''
  }, 'An address with a user or a password in it is refused.')
