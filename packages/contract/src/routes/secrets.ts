/** Owns the table of the routes of secrets. */
import { z } from 'zod'
import {
  RotateSecret,
  SecretEntry,
  SecretName,
  SecretRemoved,
  SecretStored,
  StoreSecret,
} from '../api-secrets.ts'
import { define } from './define.ts'

const named = { params: z.object({ name: SecretName }) }

export const secretRoutes = {
  secrets: define(
    'get',
    '/v1/secrets',
    'Secrets by name, with their allowed hosts. Never a value.',
    z.array(SecretEntry),
  ),
  storeSecret: define('put', '/v1/secrets/{name}', 'Stores or replaces a secret.', SecretStored, {
    ...named,
    body: StoreSecret,
  }),
  rotateSecret: define('post', '/v1/secrets/{name}/rotate', 'Changes the value of a secret.', SecretStored, {
    ...named,
    body: RotateSecret,
  }),
  removeSecret: define(
    'delete',
    '/v1/secrets/{name}',
    'Removes a secret and every value it had.',
    SecretRemoved,
    named,
  ),
}
