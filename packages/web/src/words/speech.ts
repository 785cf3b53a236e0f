/** What is said about talking and reading aloud. */
import { inLanguage } from '../language/current.ts'

export const words = inLanguage('speech', {
  hold: 'Hold to talk',
  stop: 'Stop and write down',
  discard: 'Discard',
  listening: (time: string) => `Listening, ${time}. Let go or press again to write it down.`,
  starting: 'Waiting for the microphone…',
  writing: 'Writing down what you said…',
  written: 'Written down. Read it before you send it.',
  nothing: 'Nothing was heard. Hold the button while you speak.',
  discarded: 'Discarded. Nothing was kept.',
  notAllowed:
    'This browser does not let the page use the microphone. Allow it beside the address, and try again.',
  noMicrophone: 'No microphone was found.',
  off: 'To talk, switch on the tools for sound.',
  noModel: 'No model is chosen that writes down speech.',
  failed: (reason: string) => `It was not written down: ${reason}`,
  toTools: 'Open Tools',
  toModels: 'Open Models',
  readAloud: 'Read aloud',
  stopReading: 'Stop reading',
  preparing: 'Preparing to read aloud…',
  noVoice:
    'This browser has no voice of its own. To have replies read by a model, switch on the tools for sound and choose a model for speech.',
  nothingToRead: 'There are no words to read in this reply.',
  notRead: (reason: string) => `It was not read aloud: ${reason}`,
  waits: 'Your policy asks about this first. Approve it, and try again.',
  changed: 'The file changed meanwhile.',
})
