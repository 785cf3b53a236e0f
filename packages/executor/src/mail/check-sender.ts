/**
 * Has an e-mail looked at by the program in the sandbox, and gets for it what it must know of the DNS, within bounds.
 * An e-mail is looked at once: whoever wrote it sees from the questions that it was read, but not how often.
 */
import {
  type DnsAnswer,
  type DnsQuestion,
  type SenderCheck,
  SenderFindings,
  senderCheck,
  unchecked,
} from '@countersign/tools'
import type { DocumentPrograms } from '../documents/document-programs.ts'
import type { DnsRecords } from '../egress/dns-records.ts'

/** What was found of e-mails, by their place. Kept in memory, for as many as a person looks through. */
export interface SenderChecks {
  known(key: string): SenderCheck | undefined
  check(key: string, raw: Uint8Array, documents: DocumentPrograms, signal: AbortSignal): Promise<SenderCheck>
}

const bounds = { rounds: 6, questions: 40, remembered: 2_000 }

export function createSenderChecks(records: DnsRecords): SenderChecks {
  const found = new Map<string, SenderCheck>()
  return {
    known: (key) => found.get(key),
    async check(key, raw, documents, signal) {
      const earlier = found.get(key)
      if (earlier) return earlier
      const checked = await lookAt(raw, documents, records, signal)
      if (!checked) return unchecked
      if (found.size >= bounds.remembered)
        for (const oldest of [...found.keys()].slice(0, 100)) found.delete(oldest)
      found.set(key, checked)
      return checked
    },
  }
}

/** Nothing where it could not be settled; it is tried again at the next reading. */
async function lookAt(
  raw: Uint8Array,
  documents: DocumentPrograms,
  records: DnsRecords,
  signal: AbortSignal,
): Promise<SenderCheck | undefined> {
  const answers = new Map<string, DnsAnswer>()
  for (let round = 0; round < bounds.rounds; round += 1) {
    const job = { program: 'mail-sender', op: 'sender', answers: [...answers.values()] } as const
    const looked = await documents.run({ job, form: SenderFindings }, raw, signal)
    if (looked.kind === 'failed') return undefined
    const { facts } = looked
    const missing = facts.needed.flatMap(withParents).filter((question) => !answers.has(keyOf(question)))
    if (missing.length === 0) {
      const settled = [...answers.values()].every(({ kind }) => kind !== 'failed')
      return settled ? senderCheck(facts) : undecided(facts)
    }
    if (answers.size + missing.length > bounds.questions || signal.aborted) return undefined
    for (const answer of await Promise.all(missing.map(records))) answers.set(keyOf(answer), answer)
  }
  return undefined
}

/** What is sure though somebody did not answer; the rest says that it was not checked. */
function undecided(facts: SenderFindings): SenderCheck | undefined {
  const check = senderCheck(facts)
  return check.proven ? check : undefined
}

/** A domain says its rule for those below it, so the whole line is asked about at once. */
function withParents(question: DnsQuestion): DnsQuestion[] {
  if (question.type !== 'TXT' || !question.name.startsWith('_dmarc.')) return [question]
  const labels = question.name.split('.').slice(1)
  const above = labels.map((_, index) => labels.slice(index)).filter(({ length }) => length >= 2)
  return (above.length === 0 ? [labels] : above.slice(0, 8)).map((each) => ({
    type: 'TXT',
    name: `_dmarc.${each.join('.')}`,
  }))
}

function keyOf({ type, name }: DnsQuestion): string {
  return `${type} ${name}`
}
