/** Owns how keys of AWS are written in one line, and the region that an address of Bedrock names. */

export interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** `id:secret` or `id:secret:token`; anything else is a key of Bedrock's own, which travels as it is. */
export function awsKeysIn(key: string): AwsKeys | undefined {
  const found = /^(A[A-Z0-9]{15,127}):([A-Za-z0-9/+=]{16,128})(?::([A-Za-z0-9/+=]{16,4096}))?$/.exec(key)
  if (found === null) return undefined
  const [, accessKeyId = '', secretAccessKey = '', sessionToken] = found
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}

/** As in `bedrock-runtime.eu-central-1.amazonaws.com`; where the address names none, the oldest region. */
export function awsRegionOf(address: string): string {
  const host = URL.parse(address)?.hostname ?? ''
  return (
    /(?:^|\.)bedrock(?:-runtime)?(?:-fips)?\.([a-z0-9-]+)\.(?:vpce\.)?(?:amazonaws|api\.aws)/.exec(
      host,
    )?.[1] ?? 'us-east-1'
  )
}
