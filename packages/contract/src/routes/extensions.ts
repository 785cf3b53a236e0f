/** Owns the table of the routes of what was let in from outside. It is changed by calls only, which the executor checks. */
import { z } from 'zod'
import { ExtensionCall, ExtensionUse } from '../api-extensions.ts'
import { InstalledExtensions } from '../extension.ts'
import { define } from './define.ts'

export const extensionRoutes = {
  extensions: define(
    'get',
    '/v1/extensions',
    'Servers and skills that were let in, as the executor keeps them. Their words are those of strangers.',
    InstalledExtensions,
  ),
  extensionUse: define(
    'get',
    '/v1/extension-use',
    'How often each part of what was let in was used, over ninety days.',
    ExtensionUse,
  ),
  extensionCalls: define(
    'get',
    '/v1/extensions/{name}/calls',
    'The last calls of a server or a skill, the newest first.',
    z.array(ExtensionCall),
    { params: z.object({ name: z.string().min(1).max(64) }) },
  ),
}
