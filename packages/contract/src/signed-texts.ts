/** Owns the texts that a device signs to be heard: for one request, and to open a socket. */

/** The text that a device signs to open a socket. It names the gateway and its address, so it is of no use elsewhere. */
export function helloText(hello: {
  readonly nonce: string
  readonly gateway: string
  readonly device: string
  readonly address: string
}): string {
  const { nonce, gateway, device, address } = hello
  return ['countersign/hello/v1', nonce, gateway, device, address].join('\0')
}

/** The text that a device signs for one HTTP request. Whoever passes it on to another address gets no answer. */
export function requestText(request: {
  readonly method: string
  readonly path: string
  readonly bodyHash: string
  readonly time: string
  readonly nonce: string
  readonly gateway: string
  readonly device: string
  readonly address: string
}): string {
  const { method, path, bodyHash, time, nonce, gateway, device, address } = request
  return ['countersign/request/v1', method, path, bodyHash, time, nonce, gateway, device, address].join('\0')
}
