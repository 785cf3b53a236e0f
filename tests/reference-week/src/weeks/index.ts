export type { JudgedCall } from '../call.ts'
export { allSecretsOf } from '../judge.ts'
export { compiledFor } from '../policy.ts'
export { replay } from '../replay.ts'
export { figureParts, livePart, tasksOf } from './measure.ts'
export { type PartName, partNames, readWritten, type WrittenCorpus, type WrittenPart } from './read-corpus.ts'
export type { SourceCall, SourceTask } from './source.ts'
export type { WeekCall } from './week.ts'
export { listedBy } from './wishes.ts'
export {
  createWorld,
  type FoundCall,
  type HeldByProgram,
  isDeclared,
  type KnownTools,
  type World,
} from './world.ts'
