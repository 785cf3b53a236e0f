export { type Engine, openEngine, type SegmentRef } from './engine.ts'
