/** The row of `countersign onboard`. */
import type { CommandRow } from '../../command-row.ts'

export const onboardRows: readonly CommandRow[] = [
  {
    name: 'onboard',
    summary: 'set up in eight steps, from this computer to a first approved action',
    arguments: [],
    options: [
      { flags: '--resume', summary: 'go on where you left, here or in the browser' },
      { flags: '--non-interactive', summary: 'ask nothing; take the answers from --config' },
      { flags: '--config <file>', summary: 'the answers, as JSON or plain YAML' },
    ],
    examples: [
      'countersign onboard',
      'countersign onboard --resume',
      'countersign onboard --non-interactive --config onboard.yaml --json',
    ],
    load: async () => (await import('../onboard.ts')).onboard,
  },
]
