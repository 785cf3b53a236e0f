/**
 * Owns the table of the routes of what was let in from outside. It is changed by calls only, which the executor checks; a
 * sign-in changes nothing but what the vault holds.
 */
import { z } from 'zod'
import { ExtensionCall, ExtensionUse } from '../api-extensions.ts'
import { BeginSignIn, EndSignIn, SignInBegun, SignInEnded } from '../api-oauth.ts'
import { InstalledExtensions, ServerName, TiersTried, TryTiers } from '../extension.ts'
import { FindServerSignIn, ServerSignedOut, ServerSignInFound } from '../server-oauth.ts'
import { define } from './define.ts'

const named = { params: z.object({ name: ServerName }) }

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
  tryServerTiers: define(
    'post',
    '/v1/extensions/{name}/try',
    'Tells what other tiers would have decided about the calls of a server that were made. Changes nothing.',
    TiersTried,
    { ...named, body: TryTiers },
  ),
  findServerSignIn: define(
    'post',
    '/v1/extensions/{name}/sign-in/find',
    'Finds out how to sign in to a server: who lets in, then a client there. Changes nothing of the server.',
    ServerSignInFound,
    { ...named, body: FindServerSignIn },
  ),
  beginServerSignIn: define(
    'post',
    '/v1/extensions/{name}/sign-in',
    'Begins a sign-in to a server: gives the address to open, and never a token.',
    SignInBegun,
    { ...named, body: BeginSignIn },
  ),
  endServerSignIn: define(
    'put',
    '/v1/extensions/{name}/sign-in',
    'Ends the sign-in that was begun; the token goes into the vault.',
    SignInEnded,
    { ...named, body: EndSignIn },
  ),
  signOutOfServer: define(
    'delete',
    '/v1/extensions/{name}/sign-in',
    'Signs out of a server: takes its token out of the vault.',
    ServerSignedOut,
    named,
  ),
}
