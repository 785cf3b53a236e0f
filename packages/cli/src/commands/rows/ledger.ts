/** The rows of `countersign ledger`. */
import type { ArgumentRow, CommandRow } from '../../command-row.ts'

export const ledgerSummary = 'the record that nobody can rewrite'

const query: ArgumentRow = {
  name: 'query',
  summary:
    'actor: type: tool: effect: outcome: rule: run: session: call: approval: tier>=3 since:7d until:2026-11-01 "words"',
  required: false,
}

export const ledgerRows: readonly CommandRow[] = [
  {
    name: 'ledger query',
    summary: 'find entries, the newest first, and say what happened',
    arguments: [query],
    options: [
      { flags: '--limit <count>', summary: 'how many; 50 unless it says so, 500 at most' },
      { flags: '--before <entry>', summary: 'only what is older than this entry' },
      { flags: '--facets', summary: 'also count by who, tool, type, tier and outcome' },
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
    summary: 'show one entry whole: fields, hash, exact text, and what signs it',
    arguments: [{ name: 'entry', summary: 'the number of an entry, as 31207 or #31207', required: true }],
    options: [],
    examples: ['countersign ledger show 31207', 'countersign ledger show 31207 --json'],
    load: async () => (await import('../ledger-entries.ts')).show,
  },
  {
    name: 'ledger tail',
    summary: 'follow what happens; Ctrl-C or --wait ends it',
    arguments: [query],
    options: [
      { flags: '--stream', summary: 'one JSON document on each line' },
      { flags: '--last <count>', summary: 'begin with so many that are there; 10 unless it says so' },
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
    summary: 'check the ledger where it is',
    arguments: [],
    options: [],
    examples: ['countersign ledger verify'],
    load: async () => (await import('../ledger.ts')).verify,
  },
  {
    name: 'ledger export',
    summary: 'write the ledger as JSON lines, to be checked elsewhere',
    arguments: [],
    options: [{ flags: '--out <file>', summary: 'write to this file instead of stdout' }],
    examples: ['countersign ledger export --out ledger.jsonl && countersign-verify ledger.jsonl'],
    load: async () => (await import('../ledger.ts')).exported,
  },
]
