import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keyFingerprint, readSignature, signatureNamespace, signedText } from './skill-signature.ts'

let folder: string
const tree = 'a'.repeat(64)
const text = signedText('letters', tree)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signature-'))
  for (const kind of ['ed25519', 'ecdsa'])
    execFileSync('ssh-keygen', ['-q', '-t', kind, '-N', '', '-C', '', '-f', join(folder, kind)])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function signed(
  what: string,
  { key = 'ed25519', namespace = signatureNamespace, hash = 'sha512' } = {},
): string {
  const file = join(folder, 'text')
  rmSync(`${file}.sig`, { force: true })
  writeFileSync(file, what)
  const words = ['-Y', 'sign', '-q', '-f', join(folder, key), '-n', namespace, '-O', `hashalg=${hash}`, file]
  execFileSync('ssh-keygen', words, { stdio: 'ignore' })
  return readFileSync(`${file}.sig`, 'utf8')
}

it.each(['sha512', 'sha256'])('takes what ssh-keygen signs, with %s, and names its key', (hash) => {
  const read = readSignature(signed(text, { hash }), text)
  if (read.kind === 'refused') throw new Error(read.reason)
  const told = execFileSync('ssh-keygen', ['-l', '-f', join(folder, 'ed25519.pub')], { encoding: 'utf8' })
  expect(told).toContain(keyFingerprint(read.key))
})

it.each([
  ['another tree', signedText('letters', 'b'.repeat(64)), 'does not fit'],
  ['another name', signedText('mail', tree), 'does not fit'],
])('refuses %s', (_what, other, reason) => {
  expect(readSignature(signed(text), other)).toMatchObject({ reason: expect.stringContaining(reason) })
})

it('refuses another use, another kind of key, and what is damaged', () => {
  const refusal = (signature: string) => {
    const read = readSignature(signature, text)
    return read.kind === 'refused' ? read.reason : ''
  }
  expect(refusal(signed(text, { namespace: 'git' }))).toContain('for something else')
  expect(refusal(signed(text, { key: 'ecdsa' }))).toContain('not made with an Ed25519 key')
  expect(refusal('-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n')).not.toBe('')
  expect(refusal('hello')).toContain('no signature')
  const good = signed(text)
  expect(refusal(good)).toBe('')
  const middle = Math.floor(good.length * 0.75)
  const other = good[middle] === 'A' ? 'B' : 'A'
  expect(refusal(`${good.slice(0, middle)}${other}${good.slice(middle + 1)}`)).not.toBe('')
})
