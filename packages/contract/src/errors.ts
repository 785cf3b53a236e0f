/** Owns the catalogue of operational failures. Each code has a row in docs/errors.md, which a test compares. */

export const errorCatalogue = {
  usage: { exit: 2, http: 400, next: 'Run the command with --help to see its arguments.' },
  not_found: { exit: 3, http: 404, next: 'List what exists, for example `countersign run list`.' },
  denied_by_policy: { exit: 4, http: 403, next: 'See which rule decided with `countersign why <id>`.' },
  approval_required: { exit: 5, http: 409, next: 'Decide it with `countersign approval show <code>`.' },
  denied_by_operator: { exit: 6, http: 403, next: 'See the reason with `countersign approval show <code>`.' },
  expired: { exit: 7, http: 410, next: 'Ask the agent again; nothing ran.' },
  timeout: { exit: 7, http: 504, next: 'Try again with a longer --wait.' },
  gateway_unreachable: { exit: 8, http: 503, next: 'Start it with `countersign up`.' },
  gateway_unproven: {
    exit: 9,
    http: 502,
    next: 'Do not continue: another program may be running at that address. Run `countersign doctor` on the host.',
  },
  not_authenticated: {
    exit: 9,
    http: 401,
    next: 'Run this on the host that holds the device key, or pair this device.',
  },
  clock_wrong: {
    exit: 9,
    http: 401,
    next: 'Correct the clock that is wrong: that of this device, or that of the machine with the gateway.',
  },
  step_up_needed: {
    exit: 9,
    http: 403,
    next: 'Use the web app with your passkey: `countersign open`.',
  },
  config_invalid: {
    exit: 10,
    http: 500,
    next: 'Fix the file named in the message, then run `countersign doctor`.',
  },
  workspace_unsafe: {
    exit: 10,
    http: 500,
    next: 'Choose a folder of its own for the workspace.',
  },
  folder_refused: {
    exit: 10,
    http: 500,
    next: 'Make yourself the owner of the folder named in the message and remove access for others, then start again.',
  },
  policy_invalid: {
    exit: 10,
    http: 500,
    next: 'Fix the rule named in the message.',
  },
  ledger_broken: { exit: 11, http: 500, next: 'Export the ledger and run `countersign-verify` on it.' },
  ledger_unwritable: {
    exit: 1,
    http: 503,
    next: 'Free disk space or repair the database; nothing runs until then.',
  },
  conflict: {
    exit: 14,
    http: 409,
    next: 'Look at the current state with `countersign approval show <code>`.',
  },
  limit_reached: { exit: 1, http: 429, next: 'Wait a moment, or stop something that is running.' },
  database_unavailable: { exit: 1, http: 503, next: 'Run `countersign doctor`.' },
  sandbox_unavailable: { exit: 1, http: 503, next: 'Install bubblewrap, then run `countersign doctor`.' },
  model_unavailable: { exit: 1, http: 502, next: 'Check the model settings with `countersign doctor`.' },
  budget_exceeded: { exit: 12, http: 402, next: 'Raise the budget, or wait for the next period.' },
  doctor_found_errors: {
    exit: 13,
    http: 500,
    next: 'Follow the fix of each finding, then run `countersign doctor` again.',
  },
  paused: { exit: 1, http: 409, next: 'Resume with `countersign resume`.' },
  tool_failed: { exit: 1, http: 500, next: 'See why with `countersign why <call>`.' },
  tool_test_failed: { exit: 1, http: 500, next: 'Fix the tool, then test it again.' },
  internal: { exit: 1, http: 500, next: 'Read the log; `countersign paths` shows where it is.' },
} as const

export type ErrorCode = keyof typeof errorCatalogue

/** An operational failure with its catalogue code. Bugs are not this: they throw as they are. */
export class CountersignError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  /** What to do now: the catalogue's words, or better ones for this case. */
  readonly next: string

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, unknown>; next?: string } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'CountersignError'
    this.code = code
    this.details = options.details ?? {}
    this.next = options.next ?? errorCatalogue[code].next
  }
}
