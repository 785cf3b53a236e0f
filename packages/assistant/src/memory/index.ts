export { forgetMemory, previewForget } from './forget.ts'
export {
  type ChangedMemory,
  createMemories,
  type Memories,
  type MemoriesParts,
  type MemoryListFilter,
  memoryView,
  type RecallMemories,
} from './memories.ts'
export type { MemoryToForget, MentionRemover } from './mentions.ts'
export {
  type AskModel,
  createObserver,
  type EndedRun,
  type ExtractionRequest,
  type Observer,
  type ObserverParts,
} from './observer.ts'
export { workLogMentions } from './work-log-mentions.ts'
