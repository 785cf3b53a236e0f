/** Owns under which address this computer itself reaches the app. Pure. */

/** What the gateway says of itself, by the name that passkeys know. */
export function localAddress(gatewayUrl: string): string {
  const port = URL.parse(gatewayUrl)?.port ?? ''
  return `http://localhost${port === '' ? '' : `:${port}`}/`
}
