/** What is said while a model fails and is tried again, and when a run has failed. */
import { inLanguage } from '../language/current.ts'

export const words = inLanguage('retrying', {
  label: 'The model failed',
  failed: (model: string) => `${model} failed.`,
  next: (left: string) => `Next try in ${left}`,
  count: (attempt: number, of: number) => `try ${attempt} of ${of}`,
  now: 'Trying again now…',
  with: (model: string) => `Trying ${model} now…`,
  tryNow: 'Try now',
  another: 'Use another model',
  noOther: 'No other model is set up',
  stop: 'Stop',
  pause: 'Pause',
  resume: 'Resume',
  stillRuns: 'The run did not stop, so nothing was sent to another model.',
  tryAgain: 'Try again',
  addProvider: 'Add a provider',
  waits: 'Waiting to try again',
  step: (cause: string) => `Model failed: ${cause}`,
  asked: (code: string) => `Asked you, ${code}`,
  empty: 'The model sent an empty reply.',
})
