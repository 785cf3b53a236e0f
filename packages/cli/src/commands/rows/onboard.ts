/** The row of `countersign onboard`. */
import type { CommandRow } from '../../command-row.ts'

export const onboardRows: readonly CommandRow[] = [
  {
    name: 'onboard',
    summary: 'set up Countersign in eight steps',
    arguments: [],
    options: [
      { flags: '--resume', summary: 'continue where you stopped, here or in the browser' },
      { flags: '--port <number>', summary: 'port to listen on (default: 7347, or the next free one)' },
      { flags: '--non-interactive', summary: 'ask nothing; read the answers from --config' },
      { flags: '--config <file>', summary: 'file with answers, as JSON or plain YAML' },
    ],
    examples: [
      'countersign onboard',
      'countersign onboard --resume',
      'countersign onboard --non-interactive --config onboard.yaml --json',
    ],
    load: async () => (await import('../onboard.ts')).onboard,
  },
]
