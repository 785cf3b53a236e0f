/** Owns the table of the routes of model providers. */
import { z } from 'zod'
import {
  AddProvider,
  DetectedProvider,
  longestTestPrompt,
  ProviderChanged,
  ProviderName,
  ProviderRemoved,
  ProviderTested,
  ProviderView,
  SetProvider,
} from '../api-models.ts'
import { define } from './define.ts'

const named = { params: z.object({ name: ProviderName }) }
/** The name that the provider gives the model, without the provider before it. */
const TestProvider = z.strictObject({
  model: z.string().min(1).max(200).optional(),
  /** Sent instead of the usual test. */
  prompt: z.string().min(1).max(longestTestPrompt).optional(),
})

export const providerRoutes = {
  providers: define(
    'get',
    '/v1/providers',
    'Providers with their health. Never a key.',
    z.array(ProviderView),
  ),
  detectProviders: define(
    'get',
    '/v1/detected-providers',
    'Local servers and keys in the environment that are not set up yet.',
    z.array(DetectedProvider),
  ),
  addProvider: define(
    'post',
    '/v1/providers',
    'Adds a provider; its key goes into the vault.',
    ProviderChanged,
    { body: AddProvider },
  ),
  setProvider: define(
    'put',
    '/v1/providers/{name}',
    'Changes the given fields of a provider.',
    ProviderChanged,
    { ...named, body: SetProvider },
  ),
  removeProvider: define(
    'delete',
    '/v1/providers/{name}',
    'Removes a provider and its key.',
    ProviderRemoved,
    named,
  ),
  testProvider: define(
    'post',
    '/v1/providers/{name}/test',
    'Makes one small paid call, and returns the result.',
    ProviderTested,
    { ...named, body: TestProvider },
  ),
}
