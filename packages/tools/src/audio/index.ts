import type { ToolDefinition } from '../definition.ts'
import { audioInfo } from './audio-info.ts'
import { speechToText } from './speech-to-text.ts'
import { splitAudio } from './split-audio.ts'
import { textToSpeech } from './text-to-speech.ts'
import { translateAudio } from './translate-audio.ts'

export const audioTools: readonly ToolDefinition[] = [
  textToSpeech,
  speechToText,
  translateAudio,
  audioInfo,
  splitAudio,
]
