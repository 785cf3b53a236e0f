/** Has a model write down what is said in a recording. */
import { z } from 'zod'
import { commandText, pathText } from '../text.ts'
import { hearing } from './hearing.ts'

export const speechToText = hearing({
  name: 'speech_to_text',
  version: '1',
  description:
    'Write down what is said in a sound file of the workspace, by the model that is chosen for transcription. Costs money.',
  tags: [
    'transcribe',
    'transcript',
    'dictation',
    'voice note',
    'whisper',
    'recording',
    'what was said',
    'stt',
  ],
  input: z.strictObject({
    audio: pathText,
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/, 'is no code of a language, such as en')
      .exactOptional(),
    prompt: commandText(1_000).exactOptional(),
  }),
  describe: ({ audio }) => `Write down what is said in ${audio}`,
  task: ({ language, prompt }) => ({
    kind: 'transcript',
    ...(language === undefined ? {} : { language }),
    ...(prompt === undefined ? {} : { hint: prompt }),
  }),
})
