/** Owns what received and outgoing e-mails are tried with: the sandbox, and a DNS with real keys in it. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createDocumentPrograms,
  type DocumentPrograms,
} from '../../../../../packages/executor/src/documents/document-programs.ts'
import type { DnsRecords } from '../../../../../packages/executor/src/egress/dns-records.ts'
import { probeBubblewrap } from '../../../../../packages/executor/src/sandbox/bubblewrap.ts'

export interface MailBench {
  readonly folder: string
  readonly documents: DocumentPrograms
  /** `kovac.test` lets nobody else write in its name; `evil.test` has everything in order, for itself. */
  readonly records: DnsRecords
  /** Of both domains, though an attacker has only that of `evil.test`. */
  readonly privateKey: string
  close(): Promise<void>
}

export async function openMailBench(): Promise<MailBench> {
  const folder = mkdtempSync(join(tmpdir(), 'prove-mail-'))
  const probe = await probeBubblewrap({ workspace: folder, hidden: [] })
  if (probe.kind !== 'available') throw new Error(`no sandbox: ${probe.reason}`)
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const textOf = (pair: typeof own) =>
    pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const zone: Readonly<Record<string, string>> = {
    'TXT one._domainkey.evil.test': `v=DKIM1; k=rsa; p=${textOf(own)}`,
    'TXT one._domainkey.kovac.test': `v=DKIM1; k=rsa; p=${textOf(other)}`,
    'TXT _dmarc.kovac.test': 'v=DMARC1; p=reject',
    'TXT _dmarc.evil.test': 'v=DMARC1; p=reject',
    'TXT kovac.test': 'v=spf1 -all',
    'TXT evil.test': 'v=spf1 +all',
  }
  return {
    folder,
    documents: createDocumentPrograms(probe.sandbox),
    records: async (question) => {
      const found = zone[`${question.type} ${question.name}`]
      return found === undefined
        ? { ...question, kind: 'none' }
        : { ...question, kind: 'records', records: [[found]] }
    },
    privateKey: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
