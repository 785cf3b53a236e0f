/** Owns which requests need no device: to see that the gateway is up, and to ask to become one. Everything else does. */

const open: readonly { readonly method: string; readonly path: RegExp }[] = [
  { method: 'GET', path: /^\/v1\/health$/ },
  { method: 'GET', path: /^\/v1\/pairing$/ },
  { method: 'POST', path: /^\/v1\/pairing\/requests$/ },
  { method: 'GET', path: /^\/v1\/pairing\/requests\/[0-9a-f]{32}$/ },
  { method: 'POST', path: /^\/v1\/pairing\/by-passkey$/ },
  { method: 'GET', path: /^\/v1\/nodes\/pairing$/ },
  { method: 'POST', path: /^\/v1\/nodes\/pairing\/requests$/ },
  { method: 'GET', path: /^\/v1\/nodes\/pairing\/requests\/[0-9a-f]{32}$/ },
]

export function needsDevice(method: string, path: string): boolean {
  return !open.some((each) => each.method === method && each.path.test(path))
}
