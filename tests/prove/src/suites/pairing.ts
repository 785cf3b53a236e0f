/**
 * Proves that nobody is let in by a chat: strangers who guess, race, relay and replay write to channels on a real
 * database, and devices and programs guess codes at the door of the operator. What counts is what stands in the database
 * afterwards, read past the code under test. `n` is the number of attempts.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runPairing } from './pairing/run.ts'

export const pairing: Suite = {
  name: 'pairing',
  defaultSize: 100_000,
  mutants: [
    'codes-outlive-their-hour',
    'codes-let-in-twice',
    'codes-race',
    'strangers-are-heard',
    'operators-without-proof',
    'anybody-writes-as-the-operator',
    'blocked-people-stay',
    'everybody-asks-at-once',
    'strangers-are-told-again',
    'forged-strangers-are-greeted',
    'chats-are-of-everybody',
  ],
  run: (options) =>
    options.mutant === undefined
      ? runPairing({ ...options, isServerTried: true })
      : runMutant(options, options.mutant, new URL('./pairing/mutant-main.ts', import.meta.url)),
}
