/** Has a model write down in English what is said in a recording. */
import { z } from 'zod'
import { commandText, pathText } from '../text.ts'
import { hearing } from './hearing.ts'

export const translateAudio = hearing({
  name: 'translate_audio',
  version: '1',
  description:
    'Write down in English what is said in another language in a sound file of the workspace, by the model that is chosen for transcription. Costs money.',
  tags: ['translate', 'english', 'foreign', 'interpret', 'voice note', 'recording', 'whisper', 'speech'],
  input: z.strictObject({ audio: pathText, prompt: commandText(1_000).exactOptional() }),
  describe: ({ audio }) => `Translate what is said in ${audio} into English`,
  task: ({ prompt }) => ({ kind: 'translation', ...(prompt === undefined ? {} : { hint: prompt }) }),
})
