/** Owns the table of the route of what was let in from outside. It is changed by calls only, which the executor checks. */
import { InstalledExtensions } from '../extension.ts'
import { define } from './define.ts'

export const extensionRoutes = {
  extensions: define(
    'get',
    '/v1/extensions',
    'Servers and skills that were let in, as the executor keeps them. Their words are those of strangers.',
    InstalledExtensions,
  ),
}
