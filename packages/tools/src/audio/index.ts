import type { ToolDefinition } from '../definition.ts'
import { audioInfo } from './audio-info.ts'
import { splitAudio } from './split-audio.ts'

export const audioTools: readonly ToolDefinition[] = [audioInfo, splitAudio]
