/** The browser is led to whatever page the provider of a server names. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/server-oauth.ts',
    from: 'issuer !== undefined || URL.parse(authorizationUrl)?.origin === URL.parse(provider)?.origin',
    to: 'true',
  },
])
