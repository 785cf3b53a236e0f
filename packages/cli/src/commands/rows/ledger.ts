/** The rows of `countersign ledger`. */
import type { ArgumentRow, CommandRow } from '../../command-row.ts'

export const ledgerSummary = 'the tamper-evident record of everything that happened'

const query: ArgumentRow = {
  name: 'query',
  summary:
    'actor: type: tool: effect: outcome: rule: run: session: call: approval: tier>=3 since:7d until:2026-11-01 "words"',
  required: false,
}

export const ledgerRows: readonly CommandRow[] = [
  {
    name: 'ledger query',
    summary: 'find entries, newest first',
    arguments: [query],
    options: [
      { flags: '--limit <count>', summary: 'maximum number of entries, up to 500 (default: 50)' },
      { flags: '--before <entry>', summary: 'only entries older than this one' },
      { flags: '--facets', summary: 'also count by actor, tool, type, tier and outcome' },
    ],
    examples: [
      "countersign ledger query 'effect:send tier>=3 since:7d'",
      "countersign ledger query 'type:approval outcome:denied' --json",
      `countersign ledger query 'actor:you -type:input "invoice"' --facets`,
      "countersign ledger query 'run:run_0198…' --limit 200",
    ],
    load: async () => (await import('../ledger-entries.ts')).query,
  },
  {
    name: 'ledger show',
    summary: 'show one entry: fields, hash, exact text and checkpoint',
    arguments: [{ name: 'entry', summary: 'number of an entry, such as 31207 or #31207', required: true }],
    options: [],
    examples: ['countersign ledger show 31207', 'countersign ledger show 31207 --json'],
    load: async () => (await import('../ledger-entries.ts')).show,
  },
  {
    name: 'ledger tail',
    summary: 'follow new entries; Ctrl-C or --wait ends it',
    arguments: [query],
    options: [
      { flags: '--stream', summary: 'print one JSON document per line' },
      { flags: '--last <count>', summary: 'show the last <count> entries first (default: 10)' },
    ],
    examples: [
      'countersign ledger tail',
      "countersign ledger tail 'tier>=2' --wait 10m",
      "countersign ledger tail 'type:effect.outcome' --stream | jq .sentence",
    ],
    load: async () => (await import('../ledger-tail.ts')).tail,
  },
  {
    name: 'ledger verify',
    summary: 'verify the ledger on this gateway',
    arguments: [],
    options: [],
    examples: ['countersign ledger verify'],
    load: async () => (await import('../ledger.ts')).verify,
  },
  {
    name: 'ledger witnesses',
    summary: 'list who saw which size of the ledger when, and the alarms that stand',
    arguments: [],
    options: [],
    examples: ['countersign ledger witnesses', 'countersign ledger witnesses --json'],
    load: async () => (await import('../ledger-witnesses.ts')).witnesses,
  },
  {
    name: 'ledger clear-alarm',
    summary: 'go on with the ledger as it is now, after a witness complained',
    arguments: [],
    options: [],
    examples: ['countersign ledger clear-alarm', 'countersign ledger clear-alarm --yes'],
    load: async () => (await import('../ledger-witnesses.ts')).clearAlarm,
  },
  {
    name: 'ledger export',
    summary: 'write the ledger as JSON lines, for verification elsewhere',
    arguments: [],
    options: [{ flags: '--out <file>', summary: 'output file (default: stdout)' }],
    examples: ['countersign ledger export --out ledger.jsonl && countersign-verify ledger.jsonl'],
    load: async () => (await import('../ledger.ts')).exported,
  },
]
