/** The rows of `countersign witness`: a witness for the logs of others. */
import type { CommandRow } from '../../command-row.ts'

export const witnessSummary = 'a public witness for ledgers and other logs (C2SP tlog-witness)'

export const witnessRows: readonly CommandRow[] = [
  {
    name: 'witness serve',
    summary: 'cosign checkpoints of the logs that you name; Ctrl-C ends it',
    arguments: [],
    options: [
      { flags: '--name <name>', summary: 'name of the witness: a URL without its scheme' },
      {
        flags: '--log <key>',
        summary: 'key of a log to witness, as name+hash+base64; repeatable',
        repeats: true,
      },
      { flags: '--listen <address>', summary: 'address and port (default: 127.0.0.1:7781)' },
      {
        flags: '--folder <folder>',
        summary: 'where its key and what it cosigned are kept (default: in the data folder)',
      },
    ],
    examples: [
      "countersign witness serve --name witness.example.org --log 'countersign/gw_01a1…/op_01a1…+514cc01b+AbLF…'",
      "countersign witness serve --name witness.example.org --log '…' --listen 0.0.0.0:7781 --folder /srv/witness",
    ],
    load: async () => (await import('../witness.ts')).serve,
  },
]
