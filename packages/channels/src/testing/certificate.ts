/** Owns certificates that nobody vouches for, made for one test. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function certificateFor(
  domain: string,
  ends: (() => Promise<void>)[],
): { readonly key: string; readonly chain: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  ends.push(async () => rmSync(folder, { recursive: true, force: true }))
  const [key, chain] = [join(folder, 'key.pem'), join(folder, 'chain.pem')]
  const subject = ['-subj', `/CN=${domain}`, '-addext', `subjectAltName=DNS:${domain}`]
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  execFileSync('openssl', [...made, '-keyout', key, '-out', chain, ...subject], { stdio: 'ignore' })
  return { key, chain }
}
