/** Owns what Signal says about itself: the operator's own signal-cli, spoken to on this computer or in their network. */
import { z } from 'zod'
import type { ChannelManifest } from '../frame/manifest.ts'

export const SignalSettings = z.strictObject({
  host: z
    .string()
    .regex(/^[A-Za-z0-9.:-]{1,253}$/)
    .default('127.0.0.1')
    .describe(
      'Where signal-cli listens. Whoever reaches it can write as the assistant: keep it on this computer.',
    ),
  port: z.int().min(1).max(65_535).default(7583).describe('The port of signal-cli.'),
  account: z
    .string()
    .regex(/^(\+[1-9]\d{4,19}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/)
    .describe("The number of the assistant's own account, as signal-cli has it: +385…"),
})
export type SignalSettings = z.infer<typeof SignalSettings>

export const signalManifest: ChannelManifest = {
  kind: 'signal',
  title: 'Signal',
  about:
    'Talks on Signal through your own signal-cli. A message that signal-cli hands out in the instant in which the channel dies is lost: Signal lets nobody ask for it again.',
  steps: [
    'Install signal-cli 0.13 or newer, and register a number of its own for the assistant (signal-cli -a +385… register).',
    'Keep it running with: signal-cli -a +385… daemon --tcp 127.0.0.1:7583 --receive-mode=manual. In this mode messages wait at Signal while the assistant is away; in any other they are lost.',
    'Let nobody else reach that port: signal-cli asks for no password.',
  ],
  settings: SignalSettings,
  secrets: [],
  // What is longer, Signal sends as a file.
  text: { most: 2_000, unit: 'bytes' },
  files: { most: 25_000_000 },
  can: { edit: true, typing: true, buttons: false, groups: true },
  // signal-cli chooses the time of a message itself, and that is its id.
  sendsOnce: false,
  proves: 'sender',
  decides: 2,
  // The other id of an account is known only after it was asked for.
  identity: ({ account }) => String(account),
  web: false,
  direction: 'both',
}
