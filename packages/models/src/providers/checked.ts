/** Owns what of a provider's settings is checked before its package is opened. Refuses a missing key, one that no header can carry, and an address that is not plain HTTP. */
import type { ProviderConfig } from './config.ts'
import { kinds } from './kinds.ts'
import { serviceAccountIn } from './service-account.ts'

export type CheckedProvider =
  | {
      readonly kind: 'good'
      /** Empty where there is none: the packages would look into the environment were it undefined. */
      readonly apiKey: string
      readonly baseURL: string
    }
  | RefusedProvider

export interface RefusedProvider {
  readonly kind: 'refused'
  readonly reason: 'key' | 'invalid'
  readonly message: string
}

export function checkedProvider(config: ProviderConfig): CheckedProvider {
  const { name, apiKey = '' } = config
  const facts = kinds[config.kind]
  if (apiKey === '' && facts.key === 'needed') {
    const next = `Give it one with \`countersign provider set ${name} --key\`.`
    return refused('key', `No API key is configured for the provider ${name}. ${next}`)
  }
  const isFile = config.kind === 'vertex' && serviceAccountIn(apiKey) !== undefined
  if (!isFile && !/^[\x21-\x7e]*$/.test(apiKey)) {
    const words = `The API key for the provider ${name} contains invalid characters. Copy it again.`
    return refused('key', words)
  }
  const baseURL = config.baseUrl ?? facts.baseUrl
  if (baseURL === null) {
    return refused('invalid', `The provider ${name} needs an address, such as http://127.0.0.1:8080/v1.`)
  }
  if (!isPlainHttpUrl(baseURL)) {
    return refused('invalid', `The address of the provider ${name} is not a plain HTTP address.`)
  }
  return { kind: 'good', apiKey, baseURL }
}

function refused(reason: RefusedProvider['reason'], message: string): RefusedProvider {
  return { kind: 'refused', reason, message }
}

/** Credentials in an address would end up in logs and errors. */
function isPlainHttpUrl(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}
