/** Owns how a request asks for the value of a secret: for one destination, which must be the one the secret is kept for. */

export interface SecretDestination {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
}

export interface SecretSource {
  /** Nothing unless the secret is kept for exactly this destination. */
  value(name: string, destination: SecretDestination): string | undefined
}

export const noSecrets: SecretSource = { value: () => undefined }
