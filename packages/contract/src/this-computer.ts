/** Owns which host names mean this computer, where a connection needs no encryption. */
export function isThisComputer(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}
