/** Owns which versions of Node.js run this product: those that it is tested on. */
export const neededNode = 'Node.js 24.16 or newer within 24, or 26.1 or newer'

export function fitsNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return (major === 24 && minor >= 16) || (major === 26 && minor >= 1) || major > 26
}
